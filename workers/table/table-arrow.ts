// Encodes a table as an Arrow stream, one batch of rows at a time.

import { field } from '@uwdata/flechette'
import { type ArrowSchema, ArrowStream } from '../arrow/arrow-stream.ts'
import { type ChosenColumns, chooseColumns } from './chosen-columns.ts'
import { RowBuffers } from './row-buffers.ts'
import type { Table, TablePart } from './table.ts'

/** Target size of a batch. Readers prefer large batches; many clients at once need small ones. */
const BATCH_BYTES = 512 * 1_024
const [VALUE_BYTES, TEXT_BYTES] = [8, 64]
const ROWS_MIN = 64

/** Encodes a table and consumes its chunks, one at a time. `metadata` becomes the metadata of the schema. `names`
 *  selects columns, if given. */
export function* tableArrow(
  table: Table,
  metadata: ReadonlyMap<string, string>,
  { names, part }: { names?: readonly string[] | undefined; part?: TablePart | undefined } = {},
): Generator<Uint8Array> {
  const chosen = chooseColumns(table, names)
  const rows = new RowBuffers(chosen, rowsOfBatch(chosen))
  const stream = new ArrowStream(part?.isFirst === false ? null : schemaOf(rows, metadata))
  const addBatch = () => stream.add(rows.columns.map(({ buffer }) => buffer.vector(rows.rowCount)))
  for (let next = table.chunks.next(); !next.done; next = table.chunks.next()) {
    for (let row = 0; row < next.value.rowCount; ) {
      row = rows.add(next.value, row)
      if (!rows.isFull) continue
      addBatch()
      yield stream.take()
      rows.clear()
    }
  }
  if (rows.rowCount > 0) addBatch()
  if (part === undefined) stream.end()
  const rest = stream.take()
  if (rest.length > 0) yield rest
}

function rowsOfBatch({ columns }: ChosenColumns): number {
  const rowBytes = columns.reduce((sum, { type }) => sum + (type === 'text' ? TEXT_BYTES : VALUE_BYTES), VALUE_BYTES)
  return Math.max(ROWS_MIN, Math.floor(BATCH_BYTES / rowBytes))
}

function schemaOf({ columns }: RowBuffers, metadata: ReadonlyMap<string, string>): ArrowSchema {
  const fields = columns.map(({ name, isNullable, buffer }) => field(name, buffer.type, isNullable))
  const dictionaries = columns.flatMap(({ type }, id) =>
    typeof type === 'object' && 'names' in type ? [{ id, texts: type.names }] : [],
  )
  return { fields, metadata, dictionaries }
}
