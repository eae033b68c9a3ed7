// long: whole days go through several formats
// Encodes the same table in every format: read back, each cell has its value, to the last digit.

import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tableFromIPC } from '@uwdata/flechette'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { arePeersInstalled, openDuckdb } from '../../bench/peers/installed-peers.ts'
import { isPresent } from '../../test/run/missing.ts'
import { type CellValue, type MadeTable, makeTable } from '../../test/support/made-tables.ts'
import { encodeTable, type TableEncoding } from './encode-table.ts'
import { type Column, columnNames, type Table } from './table.ts'

type Row = Record<string, CellValue>
type Reader = (table: Table, columns?: string[]) => Promise<Row[]>

/** Sizes of tables, in rows. The last ones are larger than a batch of Arrow and than a row group of Parquet. */
const SIZES = [
  ...[0, 1, 2, 63, 64, 65, 700].flatMap((rowCount) =>
    [1, 2, 3, 4].map((seed) => ({ seed: 10 * rowCount + seed, rowCount })),
  ),
  { seed: 1, rowCount: 9_000 },
  { seed: 2, rowCount: 16_384 },
  { seed: 3, rowCount: 16_385 },
]
const sizeOf = ({ rowCount }: { rowCount: number }) => ({ rowCount, chunkRowsMax: Math.ceil(rowCount / 3) })

async function bytesOf(table: Table, encoding: TableEncoding): Promise<Buffer<ArrayBuffer>> {
  const chunks = await encodeTable(table, encoding)
  const pieces: Uint8Array[] = []
  for (let next = chunks.next(); !next.done; next = chunks.next()) pieces.push(next.value)
  return Buffer.concat(pieces)
}

/** Flattens a row of JSON as the formats with columns do. */
function flatRow({ constants, columns, timestampUnit }: Table, row: Record<string, unknown>): Row {
  const flat: Row = { timestamp: (row['timestamp'] as number) * (timestampUnit === 's' ? 1_000 : 1) }
  for (const { name, text } of constants) flat[name] = text
  columns.forEach(({ name, group }, i) => {
    const place = columns.slice(0, i).filter((other) => group !== undefined && other.group?.name === group.name).length
    flat[name] = valueIn(row[group?.name ?? name], group, place)
  })
  return flat
}

function valueIn(value: unknown, group: Column['group'], place: number): CellValue {
  if (group === undefined) return value as CellValue
  if ('key' in group) return (value as Row)[group.key]!
  if (group.list === 'values') return (value as CellValue[])[place]!
  return (value as CellValue[][])[place >> 1]?.[place & 1] ?? null
}

const json: Reader = async (table) =>
  JSON.parse((await bytesOf(table, { format: 'json' })).toString()).map((row: Row) => flatRow(table, row))

const ndjson: Reader = async (table) => {
  const lines = (await bytesOf(table, { format: 'ndjson' })).toString().split('\n')
  expect(lines.pop()).toBe('')
  return lines.map((line) => flatRow(table, JSON.parse(line)))
}

const arrow: Reader = async (table, columns) => {
  const bytes = await bytesOf(table, { format: 'arrow', ...(columns === undefined ? {} : { columns }) })
  return tableFromIPC(bytes, { useBigInt: false }).toArray() as Row[]
}

const parquet: Reader = async (table, columns) => {
  const bytes = await bytesOf(table, { format: 'parquet', ...(columns === undefined ? {} : { columns }) })
  const compressors = { ZSTD: (packed: Uint8Array) => new Uint8Array(Bun.zstdDecompressSync(packed)) }
  const rows = await parquetReadObjects({ file: fileOf(bytes), compressors })
  return rows.map((row) => {
    const cells = Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.getTime() : value])
    return Object.fromEntries(cells.map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]))
  })
}

/** Runs a query and returns values that JSON has: whole numbers as texts, times as ms. */
async function inDuckdb(query: string): Promise<Row[]> {
  const duckdb = await openDuckdb()
  return (await duckdb.runAndReadAll(query)).getRowObjectsJson() as Row[]
}

async function fromFile(bytes: Uint8Array, name: string, query: (path: string) => string): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'backbook-formats-'))
  try {
    const path = join(folder, name)
    await Bun.write(path, bytes)
    return await inDuckdb(query(path))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const duckdbType = ({ type }: Column): string => {
  if (type === 'whole') return 'BIGINT'
  if (type === 'flag') return 'BOOLEAN'
  return type === 'text' || (typeof type === 'object' && 'names' in type) ? 'VARCHAR' : 'DOUBLE'
}

/** Converts whole numbers, which DuckDB returns as texts. */
const numbered = ({ columns, timestampUnit }: Table, rows: Row[], timestampMs: number): Row[] => {
  const wholes = columns.filter(({ type }) => type === 'whole').map(({ name }) => name)
  return rows.map((row) => {
    const cells = wholes.map((name) => [name, row[name] === null ? null : Number(row[name])])
    const timestamp = Number(row['timestamp']) * (timestampUnit === 's' ? timestampMs : 1)
    return { ...row, ...Object.fromEntries(cells), timestamp }
  })
}

const csvInDuckdb: Reader = async (table) => {
  const named: Column[] = columnNames([], table.constants, false).map((name) => ({
    name,
    type: 'text',
    isNullable: false,
  }))
  const all: Column[] = [...named, { name: 'timestamp', type: 'whole', isNullable: false }, ...table.columns]
  const types = all.map((column) => `'${column.name}': '${duckdbType(column)}'`).join(', ')
  const options = `header = true, columns = {${types}}, auto_detect = false, delim = ',', quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false, new_line = '\\n'`
  const rows = await fromFile(
    await bytesOf(table, { format: 'csv' }),
    'rows.csv',
    (path) => `FROM read_csv('${path}', ${options})`,
  )
  return numbered(table, rows, 1_000)
}

const parquetInDuckdb: Reader = async (table) => {
  const query = (path: string) => `SELECT * REPLACE (epoch_ms("timestamp") AS "timestamp") FROM read_parquet('${path}')`
  return numbered(table, await fromFile(await bytesOf(table, { format: 'parquet' }), 'rows.parquet', query), 1)
}

const fileOf = (bytes: Buffer<ArrayBuffer>): ArrayBuffer =>
  bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)

const metadataOf = {
  arrow: (bytes: Buffer<ArrayBuffer>) => Object.fromEntries(tableFromIPC(bytes).schema.metadata ?? []),
  parquet: (bytes: Buffer<ArrayBuffer>) =>
    Object.fromEntries(parquetMetadata(fileOf(bytes)).key_value_metadata!.map(({ key, value }) => [key, value])),
}

const READERS: Record<string, Reader> = { json, ndjson, arrow, parquet }
const PEERS: Record<string, Reader> = { 'csv in DuckDB': csvInDuckdb, 'parquet in DuckDB': parquetInDuckdb }
isPresent(arePeersInstalled(), 'DuckDB (bun run bench:peers)')

function expectSame(read: Row[], { rows }: MadeTable): void {
  expect(read.length).toBe(rows.length)
  for (let i = 0; i < rows.length; i++) if (!Bun.deepEquals(read[i], rows[i])) expect(read[i]).toEqual(rows[i]!)
}

for (const [name, read] of Object.entries(READERS)) {
  describe(name, () => {
    test.each(SIZES)('$rowCount rows of seed $seed', async (size) => {
      const made = makeTable(size.seed, sizeOf(size))
      expectSame(await read(made.table()), made)
    })
  })
}

for (const [name, read] of Object.entries(PEERS)) {
  describe.skipIf(!arePeersInstalled())(name, () => {
    test.each(SIZES)('$rowCount rows of seed $seed', async (size) => {
      const made = makeTable(size.seed, sizeOf(size))
      expectSame(await read(made.table()), made)
    })
  })
}

describe.each(['arrow', 'parquet'] as const)('%s', (format) => {
  test('has the requested columns, in the order of the table', async () => {
    const made = makeTable(7, { rowCount: 100, chunkRowsMax: 40 })
    const { columns, constants } = made.table()
    const all = columnNames(columns, constants)
    for (let bits = 1; bits < 32; bits++) {
      const names = all.filter((_, i) => (bits >> (i % 5)) & 1)
      const rows = made.rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]!])))
      const read = await READERS[format]!(made.table(), names.toReversed())
      expect(Object.keys(read[0]!)).toEqual(names)
      expectSame(read, { ...made, rows })
    }
  })

  test('has the values of the JSON envelope in its metadata, except nulls', async () => {
    const metadata = { market: 'KX-1', date: null, data_points: 3, pagination: { limit: 5 } }
    const bytes = await bytesOf(makeTable(3, { rowCount: 5, chunkRowsMax: 5 }).table(), { format, metadata })
    const expected = { 'backbook.market': 'KX-1', 'backbook.data_points': '3', 'backbook.pagination': '{"limit":5}' }
    expect(metadataOf[format](bytes)).toEqual(expected)
  })

  test('is written in pieces that stay as they are, each in a buffer of its own', async () => {
    const made = makeTable(2, { rowCount: 40_000, chunkRowsMax: 9_000 })
    const chunks = await encodeTable(made.table(), { format })
    const pieces: Uint8Array[] = []
    for (let next = chunks.next(); !next.done; next = chunks.next()) pieces.push(next.value)
    expect(pieces.length).toBeGreaterThan(2)
    expect(pieces.every(({ length, buffer }) => length <= 2 ** 20 && buffer.byteLength === length)).toBe(true)
    expect(Buffer.concat(pieces).equals(await bytesOf(made.table(), { format }))).toBe(true)
  })
})
