// A table as a Parquet file: a row group at a time, each column compressed with zstd.

import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import { type Column, numberOf, type Table, type TableChunk } from './table.ts'

const ROWS_A_GROUP = 100_000
const ZSTD_LEVEL = 9

type Cell = number | boolean | Date | null

/** `metadata` is what an envelope of JSON says beside the rows. */
export function* tableParquet(table: Table, metadata: Readonly<Record<string, unknown>>): Generator<Uint8Array> {
  const bytes = new ByteWriter()
  const parquet = new ParquetWriter({
    writer: bytes,
    schema: schemaOf(table.columns),
    codec: 'ZSTD',
    compressors: { ZSTD: (plain: Uint8Array) => Bun.zstdCompressSync(plain, { level: ZSTD_LEVEL }) },
    kvMetadata: Object.entries(metadata)
      .filter(([, value]) => value !== null)
      .map(([key, value]) => ({ key: `backbook.${key}`, value: String(value) })),
    createdBy: 'backbook',
  })
  // The writer counts what it has written apart from what it holds, so that it can be emptied.
  const drained = () => {
    const taken = bytes.getBytes().slice()
    bytes.index = 0
    return taken
  }
  let group = emptyGroup(table)
  const writeGroup = () => {
    const names = ['timestamp', ...table.columns.map(({ name }) => name)]
    const columnData = group.map((data, i) => ({ name: names[i]!, data }))
    void parquet.write({ columnData, rowGroupSize: ROWS_A_GROUP })
    group = emptyGroup(table)
  }
  for (let next = table.chunks.next(); !next.done; next = table.chunks.next()) {
    addRows(group, table.columns, next.value)
    if (group[0]!.length < ROWS_A_GROUP) continue
    writeGroup()
    yield drained()
  }
  if (group[0]!.length > 0) writeGroup()
  void parquet.finish()
  yield drained()
}

const emptyGroup = ({ columns }: Table): Cell[][] => Array.from({ length: columns.length + 1 }, () => [])

function addRows(group: Cell[][], columns: readonly Column[], chunk: TableChunk): void {
  const { rowCount, timestampsMs, entries } = chunk
  for (let row = 0; row < rowCount; row++) group[0]!.push(new Date(timestampsMs[row]!))
  columns.forEach((column, i) => {
    const values = chunk.values(i)
    for (let row = 0; row < rowCount; row++) group[i + 1]!.push(numberOf(column, values[entries[row]!]!))
  })
}

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  const logical_type = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } as const
  return [
    { name: 'root', num_children: columns.length + 1 },
    {
      name: 'timestamp',
      type: 'INT64',
      repetition_type: 'REQUIRED',
      converted_type: 'TIMESTAMP_MILLIS',
      logical_type,
    },
    ...columns.map(
      ({ name, type, isNullable }): SchemaElement => ({
        name,
        type: type === 'whole' ? 'INT32' : type === 'flag' ? 'BOOLEAN' : 'DOUBLE',
        repetition_type: isNullable ? 'OPTIONAL' : 'REQUIRED',
      }),
    ),
  ]
}
