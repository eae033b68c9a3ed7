// A table as a Parquet file: a row group at a time, each column compressed with zstd.

import { ByteWriter, type ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import { ANSWERING, letGo } from '../collect-garbage.ts'
import { packedTail } from '../parquet/joined-parquet.ts'
import { parquetWriter } from '../parquet/parquet-writer.ts'
import { keptColumns } from './kept-columns.ts'
import { type BufferedColumn, RowBuffers } from './row-buffers.ts'
import type { Table, TablePart } from './table.ts'

/** A group of 25 columns is made from 3 MB, and is let go before its bytes are waited for. */
const ROWS_A_GROUP = 16_384
/** With what the writer makes of them meanwhile. */
const GROUP_BYTES = 8 * 2 ** 20

/** Takes the chunks out of the table, and has no more than one of them. The metadata becomes the file's; of the columns
 *  those of the names are kept, where some are given. */
export function* tableParquet(
  table: Table,
  metadata: ReadonlyMap<string, string>,
  { names, part }: { names?: readonly string[] | undefined; part?: TablePart | undefined } = {},
): Generator<Uint8Array> {
  const kept = keptColumns(table, names)
  let rows: RowBuffers | undefined = new RowBuffers(kept, ROWS_A_GROUP)
  const file = new ParquetFile(rows.columns, metadata)
  // The magic of a file is none of a part's.
  if (part !== undefined) file.take()
  for (let next = table.chunks.next(); !next.done; next = table.chunks.next()) {
    for (let row = 0; row < next.value.rowCount; ) {
      rows ??= new RowBuffers(kept, ROWS_A_GROUP)
      row = rows.add(next.value, row)
      if (!rows.isFull) continue
      file.write(rows)
      rows = undefined
      letGo(GROUP_BYTES, ANSWERING)
      yield file.take()
    }
  }
  if (rows !== undefined && rows.rowCount > 0) file.write(rows)
  yield part === undefined ? file.end() : file.endOfPart()
}

class ParquetFile {
  readonly #bytes = new ByteWriter()
  readonly #writer: ParquetWriter

  constructor(columns: readonly BufferedColumn[], metadata: ReadonlyMap<string, string>) {
    this.#writer = parquetWriter({
      writer: this.#bytes,
      schema: [{ name: 'root', num_children: columns.length }, ...columns.map(elementOf)],
      kvMetadata: Array.from(metadata, ([key, value]) => ({ key, value })),
    })
  }

  write({ columns, rowCount }: RowBuffers): void {
    const columnData = columns.map(({ name, buffer }) => ({ name, data: buffer.plain(rowCount) }))
    void this.#writer.write({ columnData, rowGroupSize: rowCount })
  }

  /** What was written since it was taken last. The writer counts what it has written apart from what it holds, so that
   *  it can be emptied; and holds no room for the next group while a client is waited for. */
  take(): Uint8Array {
    const taken = this.#bytes.getBytes().slice()
    Object.assign(this.#bytes, { ...new ByteWriter(), offset: this.#bytes.offset })
    return taken
  }

  /** The rest of a part: its last rows, and what the end of the file will say of all of them. */
  endOfPart(): Uint8Array {
    const { schema, kvMetadata = [], row_groups: groups, pendingIndexes } = this.#writer
    const indexes = pendingIndexes.filter(({ offsetIndex }) => offsetIndex !== undefined)
    return Buffer.concat([this.take(), packedTail({ schema, kvMetadata, groups, indexes })])
  }

  /** The rest of the file. */
  end(): Uint8Array {
    void this.#writer.finish()
    return this.take()
  }
}

function elementOf({ name, type, isNullable }: BufferedColumn): SchemaElement {
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
