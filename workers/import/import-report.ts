// Counts how many rows of a file were used, skipped and rejected, for an import and for a check.

import { addCounts } from '../capture/add-counts.ts'
import type { Reject } from '../capture/reject-file.ts'
import type { CaptureEnd } from '../load/capture-reading.ts'
import type { ArchiveFormat, PartSums } from './archive.ts'
import { ArchiveFault } from './archive-fault.ts'
import type { ByteFile } from './byte-file.ts'

/** `used`, `skipped` and `rejected` add up to `rows` if a row is one message or a part of one. In an archive of frames
 *  a row is a line, and these three count the messages in the lines. */
export type ImportReport = {
  rows: number
  /** Rows that became part of a message. */
  used: number
  /** Rows that became no record, counted by kind. */
  skipped: Record<string, number>
  /** Notes on how stored messages were read, with the number of messages for each note. */
  notes: Record<string, number>
  /** Number of level removals that a repair added. */
  repaired: number
  /** Number of messages in the rows, or built from the rows. */
  messages: number
  /** Number of records of the messages. `recordsAdded` counts the records that are new to the store. Both are 0 in a
   *  check. */
  records: number
  recordsAdded: number
  rejected: number
  /** The first rejects, by row; `rejectFiles` have all of them. */
  rejects: Reject[]
  rejectFiles: string[]
  /** Chosen markets without a row, ascending. */
  absent: string[]
}

export const REJECTS_SHOWN_MAX = 20

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

/** Adds the result of one part of the file. */
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
  const shown = rejects.slice(0, Math.max(0, REJECTS_SHOWN_MAX - report.rejects.length))
  report.rejects.push(...shown.map((reject) => ({ ...reject, file: file.name })))
}

/** Removes a market from `absent`: the file has a row of it. */
export function markPresent(report: ImportReport, market: string): void {
  const at = report.absent.indexOf(market)
  if (at >= 0) report.absent.splice(at, 1)
}

/** Returns whether no row belongs to a chosen market. Then nothing of the file is stored. */
export const hasNoneOf = ({ absent }: ImportReport, chosen: ReadonlySet<string> | null): boolean =>
  chosen !== null && absent.length === chosen.size

/** Throws ArchiveFault if all rows of the file were rejected: the file is then of another format. */
export function assertUnderstood({ name }: ArchiveFormat, file: ByteFile, report: ImportReport): void {
  const { rejected, rejects, messages, skipped } = report
  if (rejected === 0 || messages + Object.keys(skipped).length > 0) return
  const [first] = rejects
  throw new ArchiveFault(file.name, `has no row of ${name}: in row ${first!.line}, ${first!.reason}`)
}
