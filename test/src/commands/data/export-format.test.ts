// Which format an export has, by what was asked for and by the name of the file.

import { expect, test } from 'bun:test'
import { type Format, formatOf, type What } from '../../../../src/commands/data/export-format.ts'

test.each([
  ['records', undefined, undefined, 'ndjson'],
  ['records', undefined, 'x', 'ndjson'],
  ['records', undefined, 'x.ndjson.zst', 'ndjson'],
  ['records', undefined, 'x.jsonl', 'ndjson'],
  ['records', 'ndjson', 'x.txt', 'ndjson'],
  ['records', undefined, 'KX-T50.5', 'ndjson'],
  ['summary', undefined, undefined, 'csv'],
  ['summary', undefined, 'x.gz', 'csv'],
  ['summary', undefined, '.xyz', 'csv'],
  ['summary', undefined, 'some.folder/x', 'csv'],
  ['summary', undefined, 'KX-T50.5', 'csv'],
  ['summary', undefined, 'x.json', 'json'],
  ['summary', undefined, 'x.PARQUET', 'parquet'],
  ['summary', 'json', 'x.xyz', 'json'],
] as [What, Format | undefined, string | undefined, Format][])(
  '%s, --format %p, -o %p: %s',
  (what, named, path, format) => expect(formatOf(what, named, path)).toBe(format),
)

const RECORDS = 'accepted is .ndjson for records;'
const SUMMARY = 'accepted is .csv, .parquet, .json for summary;'
const OTHER = 'any other name takes --format'

test.each([
  ['summary', undefined, 'b.xyz', `--output: given "b.xyz", ${SUMMARY} ${OTHER}`],
  ['summary', undefined, 'b.csv.bz2', `--output: given "b.csv.bz2", ${SUMMARY} ${OTHER}`],
  ['summary', undefined, 'b.csv.GZ', `--output: given "b.csv.GZ", ${SUMMARY} ${OTHER}`],
  ['summary', undefined, 'b.jsonl', `--output: given "b.jsonl", ${SUMMARY} .ndjson is for --what records`],
  [
    'summary',
    'ndjson',
    undefined,
    '--format: given "ndjson", accepted is csv, parquet, json for summary; ndjson is for',
  ],
  ['summary', 'parquet', 'b.gz', 'a Parquet file is compressed in itself'],
  ['records', undefined, 'b.xyz', `--output: given "b.xyz", ${RECORDS} ${OTHER}`],
  ['records', undefined, 'b.CSV.gz', `--output: given "b.CSV.gz", ${RECORDS} .csv is for --what summary`],
  ['records', 'csv', 'b.ndjson', '--format: given "csv", accepted is ndjson for records; csv is for --what summary'],
] as [What, Format | undefined, string | undefined, string][])('%s, --format %p, -o %p is refused', (...given) => {
  const [what, named, path, message] = given
  expect(() => formatOf(what, named, path)).toThrow(message)
})
