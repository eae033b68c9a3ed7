// The format of an export: as requested, or by the name of the file.

import { expect, test } from 'bun:test'
import { type Format, formatOf, type What } from './export-format.ts'

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

const RECORDS = 'must be .ndjson for records, got'
const SUMMARY = 'must be .csv, .parquet or .json for summary, got'
const OTHER = 'for any other name give --format'

test.each([
  ['summary', undefined, 'b.xyz', `--output ${SUMMARY} "b.xyz": ${OTHER}`],
  ['summary', undefined, 'b.csv.bz2', `--output ${SUMMARY} "b.csv.bz2": ${OTHER}`],
  ['summary', undefined, 'b.csv.GZ', `--output ${SUMMARY} "b.csv.GZ": ${OTHER}`],
  ['summary', undefined, 'b.jsonl', `--output ${SUMMARY} "b.jsonl": .ndjson is for --what records`],
  ['summary', 'ndjson', undefined, '--format must be csv, parquet or json for summary, got "ndjson": ndjson is for'],
  ['summary', 'parquet', 'b.gz', 'a Parquet file is compressed already'],
  ['records', undefined, 'b.xyz', `--output ${RECORDS} "b.xyz": ${OTHER}`],
  ['records', undefined, 'b.CSV.gz', `--output ${RECORDS} "b.CSV.gz": .csv is for --what summary`],
  ['records', 'csv', 'b.ndjson', '--format must be ndjson for records, got "csv": csv is for --what summary'],
] as [What, Format | undefined, string | undefined, string][])('%s, --format %p, -o %p is refused', (...given) => {
  const [what, named, path, message] = given
  expect(() => formatOf(what, named, path)).toThrow(message)
})
