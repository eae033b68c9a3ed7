// Prints the result of an import: how many rows each file has, and how many were used, skipped or rejected.

import type { ArchiveFormat } from '../../../workers/import/archive.ts'
import type { ByteFile } from '../../../workers/import/byte-file.ts'
import type { ImportReport } from '../../../workers/import/import-report.ts'
import { escapeControls } from '../../observe/log/escape-controls.ts'
import { type Account, accountText, noteTexts, skippedParts } from '../terminal/account.ts'
import { counted } from '../terminal/numbers.ts'
import { printReport } from '../terminal/print-json.ts'
import { terminal } from '../terminal/terminal.ts'

export type SourceTerms = { source: string; licence: string | null; attribution: string | null }
/** `before`: time of an earlier load, Unix ms, if this import skipped the file. `report` is then null. */
export type FileImport = {
  file: string
  bytes: number
  seconds: number
  report: ImportReport | null
  before: number | null
}

export function importReport(
  format: ArchiveFormat,
  provenance: SourceTerms,
  files: readonly FileImport[],
  asJson: boolean,
): void {
  if (asJson) {
    const each = files.map(({ report, ...file }) => ({ ...file, ...report }))
    return printReport({ format: format.name, ...provenance, files: each })
  }
  const lines = files.flatMap((each) => linesOf(each))
  lines.push(`source ${provenance.source}, ${provenance.licence ?? 'no licence stated'}${by(provenance.attribution)}`)
  print(lines)
}

function linesOf({ file, seconds, report, before }: FileImport): string[] {
  if (report === null) {
    const when = new Date(before!).toISOString().slice(0, 16)
    return [`${file}: loaded before, at ${when} UTC; --again loads it once more`]
  }
  return [
    `${file}: ${accountOf(report, { count: report.records, what: 'record' })}`,
    `  ${counted(report.recordsAdded, 'record')} ${report.recordsAdded === 1 ? 'is' : 'are'} new, ` +
      `in ${seconds.toFixed(1)} s`,
    ...absentOf(report),
    ...skippedOf(report),
    ...rejectsOf(report),
  ]
}

export function printCheckReport(
  { name, byteLength }: ByteFile,
  format: ArchiveFormat,
  report: ImportReport,
  asJson: boolean,
): void {
  if (asJson) return printReport({ file: name, bytes: byteLength, format: format.name, ...report })
  print([
    `${name}: ${accountOf(report, { count: report.messages, what: 'message' })}`,
    ...[...absentOf(report), ...skippedOf(report), ...rejectsOf(report)],
  ])
}

function accountOf(report: ImportReport, made: Account['made']): string {
  const { used, rejected, rows } = report
  return accountText({
    ...{ read: { count: rows, what: 'row' }, used, made },
    unused: [...skippedParts(report.skipped), [rejected, 'not understood']],
  })
}

const absentOf = ({ absent }: ImportReport): string[] => absent.map((market) => `  no rows of the market ${market}`)

const skippedOf = ({ repaired, rows, absent, notes }: ImportReport): string[] => [
  ...(rows === 0 && absent.length === 0 ? ['  the file has no rows'] : []),
  ...(repaired > 0
    ? [`  ${counted(repaired, 'level')} beyond the best prices removed, which the archive had left`]
    : []),
  ...noteTexts(notes).map((note) => `  ${note}`),
]

function rejectsOf({ rejected, rejects, rejectFiles }: ImportReport): string[] {
  if (rejected === 0) return []
  const lines = rejects.slice(0, 5).map(({ file, line, reason }) => `  ${file}, row ${line}: ${reason}`)
  const where = rejectFiles.length === 0 ? [] : [`  all are stored in ${rejectFiles.join(', ')}`]
  return [`  ${counted(rejected, 'row')} could not be understood:`, ...lines, ...where]
}

const by = (attribution: string | null): string => (attribution === null ? '' : `, by ${attribution}`)
const print = (lines: readonly string[]) =>
  terminal().stdout.write(lines.map((line) => `${escapeControls(line)}\n`).join(''))
