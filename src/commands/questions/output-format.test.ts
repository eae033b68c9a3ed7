// Tests how a command chooses the format of its rows: by the option, by the file name, or by the destination.

import { expect, test } from 'bun:test'
import { written } from '../../../test/support/programs/made-terminal.ts'
import { commandFormats, rowFormatOf } from './output-format.ts'
import type { RowFormat } from './row-output.ts'

const ROWS = ['json', 'ndjson', 'csv', 'arrow', 'parquet'] as const
const RECORDS = ['json', 'ndjson'] as const
const chosen = (
  format?: RowFormat,
  path?: string,
  { isTTY = false, formats = ROWS as readonly (typeof ROWS)[number][] } = {},
) => written(() => rowFormatOf(format, path, formats), { isTTY }).result

test('without a format it is a table on a terminal, CSV elsewhere, and lines for records', () => {
  expect([chosen(), chosen(undefined, undefined, { isTTY: true })]).toEqual(['csv', 'table'])
  expect(chosen(undefined, undefined, { isTTY: true, formats: RECORDS })).toBe('ndjson')
  expect([commandFormats(ROWS)[0], commandFormats(RECORDS)]).toEqual(['table', RECORDS])
})

test.each([
  ['a.csv', 'csv'],
  ['a.CSV.gz', 'csv'],
  ['a.jsonl', 'ndjson'],
  ['b/a.ndjson.zst', 'ndjson'],
  ['a.arrows', 'arrow'],
  ['a.parquet', 'parquet'],
] as const)('%s is %s', (path, format) => expect(chosen(undefined, path)).toBe(format))

test('the requested format wins over the name', () => {
  expect([chosen('ndjson', 'a.csv'), chosen('csv', 'a')]).toEqual(['ndjson', 'csv'])
})

test.each<[RowFormat | undefined, string | undefined, string]>([
  [undefined, 'a.txt', '--output must be .json, .ndjson, .csv, .arrow or .parquet, got "a.txt": for any other name'],
  [undefined, 'a.parquet.gz', '--output must end in .parquet: a Parquet file is compressed already'],
  ['parquet', undefined, '--output is required: a terminal cannot show parquet'],
  ['arrow', undefined, '--output is required: a terminal cannot show arrow'],
])('%s into %s is refused', (format, path, message) => {
  expect(() => chosen(format, path, { isTTY: true })).toThrow(message)
})

test('bytes go to another program', () => expect(chosen('parquet')).toBe('parquet'))
