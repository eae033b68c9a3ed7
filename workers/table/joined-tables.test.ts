// Joins many tables into one answer: read back, each row equals that of its own table, and names the table.

import { expect, test } from 'bun:test'
import { arrowRows, parquetRows } from '../../test/support/compare/row-formats.ts'
import { makeTable } from '../../test/support/made-tables.ts'
import { encodeTable, type TableEncoding, type TableFormat } from './encode-table.ts'
import { joinTables } from './joined-tables.ts'
import type { Table } from './table.ts'

const NAMES = Array.from({ length: 3 }, (_, i) => `KX-${i}`)
const SIZES = [
  [0, 0, 0],
  [0, 3, 5],
  [700, 0, 2],
  [16_385, 4, 9_000],
]

/** Encodes the table as one chunk, or chunk by chunk. */
async function* partOf(table: Table, encoding: TableEncoding, isWhole: boolean): AsyncGenerator<Uint8Array> {
  const chunks = await encodeTable(table, encoding)
  const pieces: Uint8Array[] = []
  for (let next = chunks.next(); !next.done; next = chunks.next()) pieces.push(next.value)
  if (isWhole) yield Buffer.concat(pieces)
  else yield* pieces
}

async function joined(tables: Table[], format: Exclude<TableFormat, 'json'>, isWhole: boolean) {
  async function* parts() {
    for (const [index, table] of tables.entries()) {
      const part = { isFirst: index === 0, texts: { market: NAMES } }
      yield partOf(table, { format, part, metadata: { resolution_seconds: 60 } }, isWhole)
    }
  }
  const pieces: Uint8Array[] = []
  for await (const piece of joinTables(format, parts())) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Tables with the same columns, since their seed is the same. */
function tablesOf(seed: number, sizes: readonly number[]) {
  const made = sizes.map((rowCount) => makeTable(seed, { rowCount, chunkRowsMax: Math.ceil(rowCount / 3) }))
  const tables = () => made.map(({ table }, i) => ({ ...table(), constants: [{ name: 'market', text: NAMES[i]! }] }))
  const rows = made.flatMap((each, i) =>
    each.rows.map(({ market: _, note: __, ...row }) => ({ market: NAMES[i]!, ...row })),
  )
  return { tables, rows }
}

const CASES = SIZES.flatMap((sizes) => [1, 2, 3].map((seed) => [seed, sizes] as const))

test.each(CASES)(
  'tables of seed %d with %p rows are one stream of Arrow, and one file of Parquet',
  async (seed, sizes) => {
    const { tables, rows } = tablesOf(seed, sizes)
    for (const isWhole of [true, false]) {
      const arrow = arrowRows(new Uint8Array(await joined(tables(), 'arrow', isWhole)).buffer)
      expect(arrow.rows).toEqual(rows)
      const parquet = await parquetRows(new Uint8Array(await joined(tables(), 'parquet', isWhole)).buffer)
      expect(parquet.rows).toEqual(rows)
      for (const { metadata } of [arrow, parquet]) expect(metadata.get('backbook.resolution_seconds')).toBe('60')
    }
  },
)

test.each(CASES)('tables of seed %d with %p rows are lines that say their market', async (seed, sizes) => {
  const { tables, rows } = tablesOf(seed, sizes)
  const csv = (await joined(tables(), 'csv', true)).toString()
  expect(csv.match(/^market,timestamp,/gm)).toHaveLength(1)
  for (const name of NAMES) {
    const count = rows.filter(({ market }) => market === name).length
    expect(csv.match(new RegExp(`^${name},\\d`, 'gm')) ?? []).toHaveLength(count)
  }
  const lines = (await joined(tables(), 'ndjson', false)).toString().split('\n').slice(0, -1)
  expect(lines.map((line) => JSON.parse(line).market)).toEqual(rows.map(({ market }) => market))
})
