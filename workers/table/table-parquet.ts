// Encodes a table as a Parquet file, one row group at a time, with each column compressed by zstd.

import { ANSWERING, countReleased } from '../collect-garbage.ts'
import { packedTail } from '../parquet/joined-parquet.ts'
import { type PlainElement, PlainParquet } from '../parquet/plain-parquet.ts'
import { chooseColumns } from './chosen-columns.ts'
import { type BufferedColumn, RowBuffers } from './row-buffers.ts'
import type { Table, TablePart } from './table.ts'

/** Rows of a row group. A group of 25 columns takes 3 MB. This memory is released before the bytes of the group are
 *  sent. */
const ROWS_A_GROUP = 16_384
/** Bytes of memory that a row group takes, including the writer's memory for this group. */
const GROUP_BYTES = 8 * 2 ** 20

/** Encodes a table and consumes its chunks, one at a time. `metadata` becomes the metadata of the file. `names` selects
 *  columns, if given. */
export function* tableParquet(
  table: Table,
  metadata: ReadonlyMap<string, string>,
  { names, part }: { names?: readonly string[] | undefined; part?: TablePart | undefined } = {},
): Generator<Uint8Array> {
  const chosen = chooseColumns(table, names)
  let rows: RowBuffers | undefined = new RowBuffers(chosen, ROWS_A_GROUP)
  const elements = rows.columns.map(elementOf)
  let pieces: Uint8Array[] = []
  const file = new PlainParquet({ elements, write: (bytes) => pieces.push(bytes), isPart: part !== undefined })
  const writeGroup = ({ columns, rowCount }: RowBuffers) =>
    file.writeGroup(
      rowCount,
      columns.map(({ buffer }) => buffer.plain(rowCount)),
    )
  const take = () => {
    const taken = Buffer.concat(pieces)
    pieces = []
    return taken
  }
  for (let next = table.chunks.next(); !next.done; next = table.chunks.next()) {
    for (let row = 0; row < next.value.rowCount; ) {
      rows ??= new RowBuffers(chosen, ROWS_A_GROUP)
      row = rows.add(next.value, row)
      if (!rows.isFull) continue
      writeGroup(rows)
      rows = undefined
      countReleased(GROUP_BYTES, ANSWERING)
      yield take()
    }
  }
  if (rows !== undefined && rows.rowCount > 0) writeGroup(rows)
  if (part === undefined) file.end(metadata)
  else pieces.push(packedTail({ elements, metadata, groups: file.groups }))
  yield take()
}

function elementOf({ name, type, isNullable }: BufferedColumn): PlainElement {
  const element = { name, repetition_type: isNullable ? 'OPTIONAL' : 'REQUIRED' } as const
  if (type === 'time') {
    const logical_type = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } as const
    return { ...element, type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', logical_type }
  }
  if (type === 'whole') return { ...element, type: 'INT64' }
  if (type === 'flag') return { ...element, type: 'BOOLEAN' }
  if (type === 'text' || (typeof type === 'object' && 'names' in type)) {
    return { ...element, type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } }
  }
  return { ...element, type: 'DOUBLE' }
}
