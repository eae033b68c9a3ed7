// Encodes a depth map as an Arrow stream: a row for each price, with a list of sizes of fixed length.

import { field, fixedSizeList, float32, float64 } from '@uwdata/flechette'
import { MICROS } from '../../storage/units.ts'
import { ArrowStream, type ArrowVector } from '../arrow/arrow-stream.ts'
import type { DepthMap } from './depth-map.ts'
import { MAP_COLUMNS } from './map-columns.ts'

const BATCH_BYTES = 512 * 1_024
const NO_BYTES = new Uint8Array(0)

/** Yields the stream; `names` selects columns. */
export function* mapArrow(
  { columns, rows }: DepthMap,
  metadata: ReadonlyMap<string, string>,
  names: readonly string[] = MAP_COLUMNS,
): Generator<Uint8Array> {
  const chosen = MAP_COLUMNS.filter((name) => names.includes(name))
  const list = fixedSizeList(field('item', float32(), false), columns)
  const fields = chosen.map((name) => field(name, name === 'price' ? float64() : list, false))
  const stream = new ArrowStream({ fields, metadata, dictionaries: [] })
  const rowsMax = Math.max(1, Math.floor(BATCH_BYTES / (4 * columns)))
  for (let from = 0; from < rows.length; from += rowsMax) {
    const batch = rows.slice(from, from + rowsMax)
    stream.add(chosen.flatMap((name) => (name === 'price' ? [pricesOf(batch)] : sizesOf(batch, columns))))
    yield stream.take()
  }
  stream.end()
  yield stream.take()
}

const pricesOf = (rows: DepthMap['rows']): ArrowVector => {
  const prices = Float64Array.from(rows, ({ price }) => price / MICROS)
  return { length: rows.length, nullCount: 0, buffers: [NO_BYTES, new Uint8Array(prices.buffer)] }
}

/** Returns the list vector and its values. */
function sizesOf(rows: DepthMap['rows'], columns: number): ArrowVector[] {
  const sizes = new Float32Array(rows.length * columns)
  rows.forEach((row, i) => void sizes.set(row.sizes, i * columns))
  return [
    { length: rows.length, nullCount: 0, buffers: [NO_BYTES] },
    { length: sizes.length, nullCount: 0, buffers: [NO_BYTES, new Uint8Array(sizes.buffer)] },
  ]
}
