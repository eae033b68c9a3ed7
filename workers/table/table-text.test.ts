// Tests the text around the values of a table.

import { expect, test } from 'bun:test'
import { type Column, NULL, type Table, type TableChunk } from './table.ts'
import { type TextLayout, tableText } from './table-text.ts'

const COLUMNS: Column[] = [
  { name: 'count', type: 'whole', isNullable: false },
  { name: 'is_carried', type: 'flag', isNullable: false },
  { name: 'bid_open', group: { name: 'bid', key: 'open' }, type: { places: 7 }, isNullable: true },
  { name: 'bid_close', group: { name: 'bid', key: 'close' }, type: { places: 7 }, isNullable: true },
  { name: 'size', type: { places: 6 }, isNullable: true },
]
const FIRST_MS = Date.parse('2026-07-20')

/** Rows 0 and 1 show the first entry, row 2 the second, which is null in columns that may be null. */
const VALUES = [
  [3, 0],
  [0, 1],
  [4_410_000, NULL],
  [5, NULL],
  [198_510_000, NULL],
]
const chunk = (values: number[][] = VALUES): TableChunk => ({
  rowCount: 3,
  timestampsMs: Float64Array.of(FIRST_MS, FIRST_MS + 1_000, FIRST_MS + 2_000),
  entryCount: 2,
  entries: Int32Array.of(0, 0, 1),
  values: (column) => Float64Array.from(values[column]!),
  texts: () => {
    throw new Error('no column has texts')
  },
})
const table = (chunks: TableChunk[], changes: Partial<Table> = {}): Table => ({
  constants: [
    { name: 'market', text: 'KX-1' },
    { name: 'note', text: 'a "b", c' },
  ],
  timestampUnit: 'ms',
  columns: COLUMNS,
  chunks: chunks.values(),
  ...changes,
})
const text = (made: Table, layout: TextLayout) => Buffer.concat([...tableText(made, layout)]).toString()

const ROW = '"count":3,"is_carried":false,"bid":{"open":0.441,"close":0.0000005},"size":198.51}'
const EMPTY = '"count":0,"is_carried":true,"bid":{"open":null,"close":null},"size":null}'
const ROWS = [
  `{"timestamp":${FIRST_MS},${ROW}`,
  `{"timestamp":${FIRST_MS + 1_000},${ROW}`,
  `{"timestamp":${FIRST_MS + 2_000},${EMPTY}`,
]

test('JSON is an array of objects, with groups as objects of their own', () => {
  expect(text(table([chunk()]), 'json')).toBe(`[${ROWS.join(',')}]`)
  expect(text(table([chunk(), chunk()]), 'json')).toBe(`[${[...ROWS, ...ROWS].join(',')}]`)
  expect(text(table([]), 'json')).toBe('[]')
})

test('a table that is over in a group closes it', () => {
  const columns = COLUMNS.slice(2, 4)
  const made = table([{ ...chunk([[NULL], [10_000_000]]), rowCount: 1, entryCount: 1 }], {
    columns,
    timestampUnit: 's',
  })
  expect(text(made, 'ndjson')).toBe(`{"timestamp":${FIRST_MS / 1_000},"bid":{"open":null,"close":1}}\n`)
})

test('NDJSON is the same objects, one a line', () => {
  expect(text(table([chunk()]), 'ndjson')).toBe(ROWS.map((row) => `${row}\n`).join(''))
  expect(text(table([]), 'ndjson')).toBe('')
})

test('CSV has a header, the values that all rows share, and nothing for null', () => {
  const head = 'market,note,timestamp,count,is_carried,bid_open,bid_close,size\n'
  const shared = 'KX-1,"a ""b"", c",'
  const values = '3,false,0.441,0.0000005,198.51'
  expect(text(table([chunk()]), 'csv')).toBe(
    `${head}${shared}${FIRST_MS},${values}\n${shared}${FIRST_MS + 1_000},${values}\n${shared}${FIRST_MS + 2_000},0,true,,,\n`,
  )
  expect(text(table([]), 'csv')).toBe(head)
})
