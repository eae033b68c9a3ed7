// Reports what an import of a file would do, without a store: parses the lines as the loader does, and discards the
// records.

import { tmpdir } from 'node:os'
import { CaptureFeed } from '../capture/capture-feed.ts'
import { formOfLine } from '../capture/line-parser.ts'
import type { Reject } from '../capture/reject-file.ts'
import type { RowReader } from '../load/capture-reading.ts'
import { RecordRouter } from '../load/record-router.ts'
import type { ArchiveFormat } from './archive.ts'
import { orArchiveFault } from './archive-fault.ts'
import type { ByteFile } from './byte-file.ts'
import type { ImportOptions } from './import-archive.ts'
import { addRead, addSums, type ImportReport, markPresent, newReport, REJECTS_TOLD_MAX } from './import-report.ts'

/** Throws ArchiveFault. */
export async function checkArchive(
  format: ArchiveFormat,
  file: ByteFile,
  options: Pick<ImportOptions, 'markets' | 'repairs' | 'loadingMs' | 'onProgress'>,
): Promise<ImportReport> {
  const report = newReport(options.markets)
  const reading = {
    ...{ ...options, after: null },
    onMarket: (market: string) => markPresent(report, market),
    marketOf: marketsOfCheck(options.markets),
  }
  for await (const part of format.open(file, reading)) {
    const trial = new TrialLoad(format, options.loadingMs)
    const read = part.read(trial, (fileBytes) => options.onProgress({ fileBytes, rows: report.rows }))
    addSums(report, await orArchiveFault(file.name, read))
    trial.finish()
    addRead(report, format, file, trial)
  }
  return report
}

/** Returns the function that finds the market of a token. A check has no store in which to look up the market. So the
 *  function returns the token itself if all markets are chosen, the chosen market if it is the only one, else null. */
function marketsOfCheck(chosen: ReadonlySet<string> | null) {
  const [only] = chosen ?? []
  return async (token: string) => (chosen === null ? token : chosen.size === 1 ? only! : null)
}

/** Reads lines as the loader does. */
class TrialLoad implements RowReader {
  messages = 0
  rejected = 0
  #rejectedLate = 0
  /** The first rejects, by line. */
  readonly rejects: Reject[] = []
  readonly #router: RecordRouter
  readonly #feed: CaptureFeed
  readonly #isRebuilt: boolean
  #line = 0
  #heldLines = 0

  /** Lines that are rebuilt from columns count as messages without being parsed. */
  constructor({ isRebuilt }: ArchiveFormat, loadingMs: number) {
    this.#isRebuilt = isRebuilt
    const onReject = (line: number, reason: string) => {
      this.#rejectedLate++
      this.#addReject(line, reason)
    }
    // The folder is never used: records are discarded before they are spilled.
    this.#router = new RecordRouter({ folder: tmpdir(), loadingMs, threads: 1, onReject })
    this.#feed = new CaptureFeed(this.#router, (reason) => this.#addReject(this.#line, reason))
  }

  get skipped(): Record<string, number> {
    return this.#feed.counts.skipped
  }

  get notes(): Record<string, number> {
    return this.#feed.counts.notes
  }

  get documents(): number {
    return this.#feed.counts.documents
  }

  line(bytes: Uint8Array, start: number, end: number, number: number): void {
    if (this.#isRebuilt) {
      this.messages++
      return
    }
    this.#line = number
    this.#feed.line(bytes, start, end, number)
    if (++this.#heldLines === LINES_HELD) this.#discardRecords()
  }

  longLine(_: Uint8Array, bytesMax: number, number: number): void {
    this.#addReject(number, `the line is longer than ${bytesMax} bytes`)
  }

  end(): void {}

  reject(row: number, reason: string): void {
    this.#addReject(row, reason)
  }

  /** Counts the values as a message. */
  values(): boolean {
    this.messages++
    return true
  }

  formOf(line: Uint8Array) {
    return formOfLine(line, undefined)
  }

  /** Ends the check: no line follows. */
  finish(): void {
    this.#feed.end()
    this.#router.collect()
    this.messages += this.#feed.counts.messages - this.#rejectedLate
  }

  // Inserts by line, because messages that had to wait for a time are rejected late.
  #addReject(line: number, reason: string): void {
    this.rejected++
    const place = this.rejects.findLastIndex((reject) => reject.line <= line) + 1
    if (place < REJECTS_TOLD_MAX) this.rejects.splice(place, 0, { file: '', line, reason })
    this.rejects.length = Math.min(this.rejects.length, REJECTS_TOLD_MAX)
  }

  // Discards records. Messages that still need a time continue to wait.
  #discardRecords(): void {
    this.#heldLines = 0
    this.#router.collectBefore(Number.NEGATIVE_INFINITY)
    this.#feed.documents.take()
    this.#feed.audits.length = 0
  }
}

/** Number of lines whose records are held before they are discarded. */
const LINES_HELD = 16_384
