// Tests the text that reports the result of an import.

import { expect, test } from 'bun:test'
import { written } from '../../../test/support/programs/made-terminal.ts'
import type { ArchiveFormat } from '../../../workers/import/archive.ts'
import type { ByteFile } from '../../../workers/import/byte-file.ts'
import { type ImportReport, newReport } from '../../../workers/import/import-report.ts'
import { importReport, printCheckReport } from './import-report.ts'

const FORMAT = { name: 'pmxt-v2' } as ArchiveFormat
const TERMS = { source: 'pmxt', licence: 'CC BY 4.0', attribution: 'pmxt.dev' }
const REPORT: ImportReport = { ...newReport(null), rows: 10, used: 10, messages: 8, records: 8, recordsAdded: 8 }
const file = (report: ImportReport | null) => {
  return {
    file: 'a.parquet',
    bytes: 5,
    seconds: 1.26,
    report,
    before: report === null ? Date.UTC(2026, 7, 10, 12, 34) : null,
  }
}
const reportLines = (report: ImportReport | null, terms: Parameters<typeof importReport>[1] = TERMS) =>
  written(() => importReport(FORMAT, terms, [file(report)], false)).stdout.split('\n')

test('the results of the rows, and their source', () => {
  expect(reportLines(REPORT)).toEqual([
    ...['a.parquet: 10 rows: 10 that make 8 records', '  8 records are new, in 1.3 s'],
    ...['source pmxt, CC BY 4.0, by pmxt.dev', ''],
  ])
  expect(reportLines({ ...REPORT, recordsAdded: 1 })[1]).toBe('  1 record is new, in 1.3 s')
  expect(reportLines(REPORT, { source: 'a', licence: null, attribution: null }).at(-2)).toBe(
    'source a, no licence stated',
  )
})

test('a file that was loaded before is not loaded again', () => {
  expect(reportLines(null)[0]).toBe('a.parquet: loaded before, at 2026-08-10T12:34 UTC; --again loads it once more')
})

test('missing, repaired, noted and unknown rows', () => {
  const reject = (line: number) => ({ file: 'a', line, reason: 'no price' }) as ImportReport['rejects'][number]
  const report = {
    ...{
      ...REPORT,
      repaired: 1,
      notes: { 'without a time': 2 },
      rejected: 7,
      absent: ['KX'],
      rejectFiles: ['r.ndjson'],
    },
    rejects: [1, 2, 3, 4, 5, 6].map(reject),
  }
  expect(reportLines(report).slice(2, -2)).toEqual([
    ...['  no rows of the market KX', '  1 level beyond the best prices removed, which the archive had left'],
    ...['  2 messages without a time', '  7 rows could not be understood:'],
    ...[1, 2, 3, 4, 5].map((line) => `  a, row ${line}: no price`),
    '  all are stored in r.ndjson',
  ])
  expect(reportLines(newReport(null))[2]).toBe('  the file has no rows')
  expect(reportLines(newReport(new Set(['KX']))).slice(2, -2)).toEqual(['  no rows of the market KX'])
})

test('a check counts messages, and JSON has all of it', () => {
  const file = { name: 'a.parquet', byteLength: 5 } as ByteFile
  const check = (asJson: boolean) => written(() => printCheckReport(file, FORMAT, REPORT, asJson)).stdout
  expect(check(false)).toBe('a.parquet: 10 rows: 10 that make 8 messages\n')
  expect(JSON.parse(check(true))).toMatchObject({ file: 'a.parquet', bytes: 5, format: 'pmxt-v2', records_added: 8 })
  const json = written(() =>
    importReport(FORMAT, TERMS, [{ file: 'a', bytes: 5, seconds: 1, report: REPORT, before: null }], true),
  )
  expect(JSON.parse(json.stdout)).toMatchObject({
    source: 'pmxt',
    files: [{ file: 'a', records_added: 8, before: null }],
  })
})
