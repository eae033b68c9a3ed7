// Loads one file of an archive into a store, part by part: each is stored before the next one is read, so that memory
// has bounds and an import that was stopped goes on where it was.

import { closeSync } from 'node:fs'
import type { Store } from '../../storage/open-store.ts'
import type { Venue } from '../../storage/venue.ts'
import type { Reject } from '../capture/reject-file.ts'
import { commitPart } from '../load/commit-part.ts'
import { MARKETS_AT_ONCE } from '../load/part-sink.ts'
import { type RowReader, readCapture } from '../load/read-capture.ts'
import type { ArchiveFormat, ArchivePart, PartSums, Repair } from './archive.ts'
import { ArchiveFault } from './archive-fault.ts'
import type { ByteFile } from './byte-file.ts'
import { OwnRecording } from './own-recording.ts'
import { type HourQuality, RowQuality } from './quality/row-quality.ts'
import { TokenMarkets } from './token-markets.ts'

export type ImportOptions = {
  /** Only these markets; null for all. */
  markets: ReadonlySet<string> | null
  repairs: ReadonlySet<Repair>
  /** Of its records. */
  source: string
  /** The place that the last import of this file came to. */
  after: string | null
  loadingMs: number
  /** Called when a part is stored. */
  onPart: (part: { next: string | null; hours: HourQuality[]; soFar: ImportReport }) => Promise<void>
  onProgress: (progress: { fileBytes: number; rows: number }) => void
}

export type ImportReport = {
  rows: number
  /** Rows that the user's own recording has. */
  leftOut: number
  /** Rows that no message is made of, by what they are. */
  skipped: Record<string, number>
  /** Removals of levels that a repair added. */
  repaired: number
  /** Messages that the rows are, and those of them that the store did not have before. */
  messages: number
  recordsAdded: number
  rejected: number
  /** The first of them by their rows; all are in `rejectFiles`. */
  rejects: Reject[]
  rejectFiles: string[]
}

/** `folder` is the data folder. Throws ArchiveFault, and DataError where the store does. */
export async function importArchive(
  store: Store,
  folder: string,
  format: ArchiveFormat,
  file: ByteFile,
  options: ImportOptions,
): Promise<ImportReport> {
  const report = newReport()
  const quality = new RowQuality()
  const own = new OwnRecording(store.catalogue)
  const tokens = new TokenMarkets(store.catalogue, options.markets)
  const reading = {
    ...options,
    quality,
    prepare: (venue: Venue, market: string) => own.prepare(venue, market),
    hasOwn: (market: string, book: string, timeMs: number) => own.has(market, book, timeMs),
    marketOf: (token: string) => tokens.of(token),
  }
  let place = options.after
  for await (const part of format.open(file, reading)) {
    const path = `${file.name}@${place ?? 'start'}`
    await storePart(store, folder, { file, path, part }, options, report)
    place = part.next
    own.forget()
    await options.onPart({ next: part.next, hours: quality.take(), soFar: report })
  }
  return report
}

/** What an import would tell, without a store. Throws ArchiveFault. */
export async function checkArchive(
  format: ArchiveFormat,
  file: ByteFile,
  options: Pick<ImportOptions, 'markets' | 'repairs' | 'onProgress'>,
): Promise<{ report: ImportReport; hours: HourQuality[] }> {
  const report = newReport()
  const quality = new RowQuality()
  const lines: RowReader = {
    line: () => {
      report.messages++
    },
    longLine: () => {},
    end: () => {},
    reject: (row, reason) => {
      report.rejected++
      if (report.rejects.length < REJECTS_TOLD_MAX) report.rejects.push({ file: file.name, line: row, reason })
    },
  }
  const nothingStored = { hasOwn: () => false, prepare: async () => {}, marketOf: marketsOfCheck(options.markets) }
  for await (const part of format.open(file, { ...options, ...nothingStored, after: null, quality })) {
    const sums = await part.read(lines, (fileBytes) => options.onProgress({ fileBytes, rows: report.rows }))
    report.rows += sums.rows
    addSkipped(report, sums)
  }
  return { report, hours: quality.take() }
}

/** Throws ArchiveFault for a file that has rows, and none of the format: it is of another. */
export function assertUnderstood({ name }: ArchiveFormat, file: ByteFile, report: ImportReport): void {
  const { rejected, rejects, messages, leftOut, skipped } = report
  if (rejected === 0 || messages + leftOut + Object.keys(skipped).length > 0) return
  const [first] = rejects
  throw new ArchiveFault(file.name, `has no row that is of ${name}: in row ${first!.line}, ${first!.reason}`)
}

/** Nothing is stored of it, so a token whose market nobody names stands for itself. */
function marketsOfCheck(chosen: ReadonlySet<string> | null) {
  const [only] = chosen ?? []
  return async (token: string) => (chosen === null ? token : chosen.size === 1 ? only! : null)
}

const REJECTS_TOLD_MAX = 20

async function storePart(
  store: Store,
  folder: string,
  { file, path, part }: { file: ByteFile; path: string; part: ArchivePart },
  { loadingMs, source, onProgress }: ImportOptions,
  report: ImportReport,
): Promise<void> {
  const end = await readCapture(
    {
      ...{ folder, path, loadingMs, source, threads: 1, marketsAtOnce: MARKETS_AT_ONCE },
      onProgress: () => {},
      tellLines: async (lines) => {
        const sums = await part.read(lines, (fileBytes) => onProgress({ fileBytes, rows: report.rows }))
        report.rows += sums.rows
        report.leftOut += sums.leftOut
        addSkipped(report, sums)
      },
    },
    async ({ partitions, files }) => {
      try {
        report.recordsAdded += (await commitPart(store, partitions)).recordsAdded
      } finally {
        for (const open of files) closeSync(open)
      }
    },
  )
  report.messages += end.messages
  report.rejected += end.rejected
  const told = end.rejects.slice(0, REJECTS_TOLD_MAX - report.rejects.length)
  report.rejects.push(...told.map((reject) => ({ ...reject, file: file.name })))
  if (end.rejectFile !== null) report.rejectFiles.push(end.rejectFile)
}

function addSkipped(report: ImportReport, sums: PartSums): void {
  const { skipped } = report
  report.repaired += sums.repaired ?? 0
  for (const [what, rows] of Object.entries(sums.skipped ?? {})) skipped[what] = (skipped[what] ?? 0) + rows
}

const newReport = (): ImportReport => ({
  rows: 0,
  leftOut: 0,
  skipped: {},
  repaired: 0,
  messages: 0,
  recordsAdded: 0,
  rejected: 0,
  rejects: [],
  rejectFiles: [],
})
