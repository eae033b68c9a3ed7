// A segment that is still being recorded. Its lines become records of one capture: event times, books and waiting
// messages carry over from one commit to the next.

import { closeSync } from 'node:fs'
import { DataError } from '../../storage/failures.ts'
import type { Venue } from '../../storage/venue.ts'
import { bookTimesBy } from '../book-times/book-times.ts'
import { CaptureFeed } from '../capture/capture-feed.ts'
import type { CaptureMessage, MessageSink } from '../capture/capture-message.ts'
import { RejectFile } from '../capture/reject-file.ts'
import { RecordRouter, type RouterOptions } from '../load/record-router.ts'
import type { CollectedPartition, OngoingPart } from '../partition/collected-partition.ts'
import type { JsonObject } from '../venues/described-message.ts'

const LINE_FEED = 0x0a
/** How long a message without a plausible time waits for the next message of its market, ms. The clocks of venue and
 *  recorder seldom differ by more. */
const WAITING_MS = 2_000
const NO_BYTES = new Uint8Array(0)

/** Counts of the lines, by what they contain. */
export type LineCounts = { messages: number; gaps: number; rejected: number; skipped: Record<string, number> }

/** Contents of the lines since the previous collection. */
export type LiveCollection = {
  partitions: CollectedPartition[]
  /** Open file that the partitions' blocks may be in. The caller closes it when they are stored. */
  file: number | undefined
  metadata: Uint8Array[]
  audits: JsonObject[]
  counts: LineCounts
  /** Receipt time of the earliest frame by this machine's clock, Unix ms; Infinity if there is none. */
  firstReceivedMs: number
}

export class LiveSegment implements MessageSink {
  readonly #feed: CaptureFeed
  readonly #router: RecordRouter
  readonly #routing: RouterOptions
  readonly #rejectFile: RejectFile
  #lineNumber = 0
  /** The line being parsed, in case it is rejected. */
  #bytes: Uint8Array = NO_BYTES
  #start = 0
  #end = 0
  /** For each partition and source: the state of the store that the next part follows (`OngoingPart`). */
  readonly #follows = new Map<string, NonNullable<OngoingPart['follows']>>()
  #gaps = 0
  #firstReceivedMs = Number.POSITIVE_INFINITY
  #lastReceivedMs = Number.NEGATIVE_INFINITY

  /** `path` is the segment's file; the reject file is named after it. */
  constructor(dataFolder: string, path: string) {
    this.#rejectFile = new RejectFile(dataFolder, path)
    const onReject = (line: number, reason: string, bytes: Uint8Array) => {
      this.#feed.counts.rejected++
      this.#writeReject(line, reason, bytes)
    }
    this.#routing = { folder: dataFolder, loadingMs: 0, threads: 1, isOngoing: true, onReject }
    this.#router = new RecordRouter(this.#routing)
    this.#feed = new CaptureFeed(this, (reason, message) => {
      this.#writeReject(this.#lineNumber, reason, message ?? this.#bytes.subarray(this.#start, this.#end))
    })
  }

  /** Parses whole lines. Throws RefusedCapture, and the errors of the store's files. */
  feed(lines: Uint8Array, nowMs: number): void {
    this.#routing.loadingMs = nowMs
    this.#bytes = lines
    let start = 0
    for (let end = lines.indexOf(LINE_FEED); end >= 0; end = lines.indexOf(LINE_FEED, start)) {
      this.#start = start
      this.#end = end
      this.#feed.line(lines, start, end, ++this.#lineNumber)
      start = end + 1
    }
    this.#bytes = NO_BYTES
  }

  addMarket(venue: Venue, market: string, source: string | undefined): void {
    this.#router.addMarket(venue, market, source)
  }

  place(market: number, message: CaptureMessage): void {
    if (message.receivedMs < this.#firstReceivedMs) this.#firstReceivedMs = message.receivedMs
    if (message.receivedMs > this.#lastReceivedMs) this.#lastReceivedMs = message.receivedMs
    if (message.form.shape.kind === 'gap') this.#gaps++
    this.#router.place(market, message)
  }

  /** Collects the records since the last call. `next` says what follows: no line (`none`), lines that wait and were not
   *  fed yet (`waits`), or `unknown`. */
  collect(nowMs: number, next: 'none' | 'waits' | 'unknown'): LiveCollection {
    const isOver = next === 'none'
    if (isOver) this.#feed.end()
    const { documents, counts } = this.#feed
    const isMachine = this.#feed.header?.['clock'] === 'machine'
    // Waiting lines may have been received just after the last line that was fed.
    const untilMs = next === 'waits' ? Math.min(nowMs, this.#lastReceivedMs) : nowMs
    // In a replay, receipt times are unrelated to this machine's clock, so all waiting messages continue to wait.
    const placedByMs = isOver ? Number.POSITIVE_INFINITY : isMachine ? untilMs - WAITING_MS : Number.NEGATIVE_INFINITY
    const partitions = this.#router.collectBefore(placedByMs).flat()
    for (const partition of partitions) {
      partition.ongoing = { follows: this.#follows.get(nameOf(partition)) ?? null, planned: null }
      partition.heard = bookTimesBy(this.#feed.recorder, partition.heard)
    }
    const collection = {
      partitions,
      file: this.#router.releaseFile(),
      metadata: documents.take(),
      audits: this.#feed.audits,
      counts: { ...counts, gaps: this.#gaps },
      firstReceivedMs: isMachine ? this.#firstReceivedMs : Number.POSITIVE_INFINITY,
    }
    this.#feed.audits = []
    Object.assign(counts, { messages: 0, rejected: 0, skipped: {} })
    this.#gaps = 0
    this.#firstReceivedMs = Number.POSITIVE_INFINITY
    return collection
  }

  /** Remembers where a collected partition is stored, so that its next part continues there. Returns false if some of
   *  its records were stored already. */
  continueFrom(partition: CollectedPartition): boolean {
    const planned = partition.ongoing?.planned ?? null
    if (planned?.follows == null) this.#follows.delete(nameOf(partition))
    else this.#follows.set(nameOf(partition), planned.follows)
    return planned === null || planned.added === partition.recordCount
  }

  close(): void {
    const file = this.#router.releaseFile()
    if (file !== undefined) closeSync(file)
    this.#rejectFile.close()
  }

  // A full disk must not stop the segment: the rejected line is in the segment itself.
  #writeReject(line: number, reason: string, bytes: Uint8Array): void {
    try {
      this.#rejectFile.add(line, reason, bytes)
    } catch (error) {
      if (!(error instanceof DataError)) throw error
    }
  }
}

const nameOf = ({ key, source = '' }: CollectedPartition): string => `${key.venue} ${key.market} ${key.date} ${source}`
