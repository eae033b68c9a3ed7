// What came of the rows of a file, as an import counts it and as a check does.

import { addCounts } from '../capture/add-counts.ts'
import type { Reject } from '../capture/reject-file.ts'
import type { CaptureEnd } from '../load/capture-reading.ts'
import type { ArchiveFormat, PartSums } from './archive.ts'
import { ArchiveFault } from './archive-fault.ts'
import type { ByteFile } from './byte-file.ts'

/** `used`, `skipped` and `rejected` are all of `rows`, where a row is one message or a part of one. Of an archive of
 *  frames, a row is a line, and the three count messages of lines. */
export type ImportReport = {
  rows: number
  /** Rows that messages are made of. */
  used: number
  /** Rows that no record is made of, by what they are. */
  skipped: Record<string, number>
  /** What is to be reported of messages that are records all the same, and of how many. */
  notes: Record<string, number>
  /** Removals of levels that a repair added. */
  repaired: number
  /** Messages that the rows are, and those of them that the store did not have before. */
  messages: number
  /** Records that the messages are; none of them in a check. */
  records: number
  recordsAdded: number
  rejected: number
  /** The first of them by their rows; all are in `rejectFiles`. */
  rejects: Reject[]
  rejectFiles: string[]
  /** Chosen markets that no row is of, ascending. */
  absent: string[]
}

export const REJECTS_TOLD_MAX = 20

export const newReport = (chosen: ReadonlySet<string> | null): ImportReport => ({
  rows: 0,
  used: 0,
  skipped: {},
  notes: {},
  repaired: 0,
  messages: 0,
  records: 0,
  recordsAdded: 0,
  rejected: 0,
  rejects: [],
  rejectFiles: [],
  absent: [...(chosen ?? [])].sort(),
})

export function addSums(report: ImportReport, sums: PartSums): void {
  report.rows += sums.rows
  report.repaired += sums.repaired ?? 0
  addCounts(report.skipped, sums.skipped ?? {})
}

type Read = Pick<CaptureEnd, 'messages' | 'documents' | 'skipped' | 'notes' | 'rejected' | 'rejects'>

/** What the loader made of one part of the file. */
export function addRead(report: ImportReport, format: ArchiveFormat, file: ByteFile, read: Read): void {
  const { messages, documents, rejected, rejects } = read
  report.messages += messages
  addCounts(report.skipped, read.skipped)
  addCounts(report.notes, read.notes)
  if (documents > 0) addCounts(report.skipped, { 'documents of metadata, which ingest loads': documents })
  report.rejected += rejected
  const { rows, skipped } = report
  const unused = Object.values(skipped).reduce((sum, count) => sum + count, report.rejected)
  report.used = format.isRebuilt ? rows - unused : report.messages
  const told = rejects.slice(0, Math.max(0, REJECTS_TOLD_MAX - report.rejects.length))
  report.rejects.push(...told.map((reject) => ({ ...reject, file: file.name })))
}

/** A row is of the market. */
export function markPresent(report: ImportReport, market: string): void {
  const at = report.absent.indexOf(market)
  if (at >= 0) report.absent.splice(at, 1)
}

/** Whether no row is of any of the markets that were chosen: there is nothing to keep of the file then. */
export const hasNoneOf = ({ absent }: ImportReport, chosen: ReadonlySet<string> | null): boolean =>
  chosen !== null && absent.length === chosen.size

/** Throws ArchiveFault for a file that has rows, and none of the format: it is of another. */
export function assertUnderstood({ name }: ArchiveFormat, file: ByteFile, report: ImportReport): void {
  const { rejected, rejects, messages, skipped } = report
  if (rejected === 0 || messages + Object.keys(skipped).length > 0) return
  const [first] = rejects
  throw new ArchiveFault(file.name, `has no row that is of ${name}: in row ${first!.line}, ${first!.reason}`)
}
