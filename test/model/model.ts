// The contract as a slow, obvious and exact program. Tests compare the real program with it; the two share no code.

import { type HashCounts, HashedBooks } from './book-hashes.ts'
import { type Capture, type Reject, readCapture, readCaptureFile } from './capture.ts'
import { dateOf, isClockWrong, isZoneWrong, type TimedRecord, timeMessages } from './event-time.ts'
import { Metadata } from './finding/metadata.ts'
import type { JsonObject } from './json.ts'
import { bodyOf, type GivenScale, levelsOf } from './kalshi-message.ts'
import { isReceivedBySeveral, type ReceivedCapture, recordersOf, withCoveredGaps } from './loading/covered-gaps.ts'
import { withoutRepeats } from './loading/repeats.ts'
import { holesOf } from './loading/sequence-holes.ts'
import { mergeCapture, mergeRuns } from './merge.ts'
import type { RecordType, Venue } from './message.ts'
import { type Quality, qualityOf } from './quality.ts'
import { continuedBook, type Partition, recordsOf } from './quotes.ts'
import { type SummaryRequest, summarize, type TrustedBucket } from './summary.ts'

export type { TrustedBucket as Bucket, Venue }

type RecordHead = { type: RecordType; timestamp: number; received_at: number | null; source?: string }
type PolymarketRecord = RecordHead & { asset_id: string | null; msg: JsonObject }
type KalshiRecord = RecordHead & { ticker: string; sid: number | null; seq: number | null; msg: JsonObject }
export type ModelRecord = PolymarketRecord | KalshiRecord

export type ModelSummaryRequest = Omit<SummaryRequest, 'inferredGaps'> & {
  venue: Venue
  market: string
  assetId?: string | undefined
}

/** Loads each file as one capture into the same store. */
export function loadCaptures(files: string[], nowMs: number): ModelStore {
  const store = new ModelStore()
  for (const file of files) store.load(readCaptureFile(file), nowMs)
  return store
}

/** Works like `loadCaptures`, for texts of JSON lines. */
export function loadTexts(texts: string[], nowMs: number, noPrices: GivenScale = 'no'): ModelStore {
  const store = new ModelStore()
  for (const [index, text] of texts.entries()) {
    store.load(readCapture(`text ${index + 1}`, text, false, noPrices), nowMs)
  }
  return store
}

/** Loads the lines of an archive's file as one capture. An undefined line is a row that gives no record. */
export function loadArchive(source: string, lines: readonly (string | undefined)[], nowMs: number): ModelStore {
  const store = new ModelStore()
  const { messages, ...capture } = readCapture(source, lines.filter(Boolean).join('\n'), false)
  store.load({ ...capture, messages: messages.map((message) => ({ ...message, source })) }, nowMs)
  return store
}

export class ModelStore {
  readonly rejects: Reject[] = []
  /** Names of captures that were refused: their clock is wrong, or the scale of their NO prices is unknown. */
  readonly refused: string[] = []
  skippedCount = 0
  readonly metadata = new Metadata()
  readonly #records = new Map<string, TimedRecord[]>()
  /** For each market, the captures that have records of it, in the order of loading. */
  readonly #captures = new Map<string, ReceivedCapture[]>()
  /** For each market and date, the times of the last records before holes in the sequence numbers. */
  readonly #holes = new Map<string, Set<number>>()
  /** Partitions of each market, by date. Filled on request, cleared by each load. */
  readonly #partitions = new Map<string, Partition[]>()
  /** Counts of hashes by market and date, then by book. */
  readonly #hashes = new Map<string, Map<string, HashCounts>>()
  readonly #qualities = new Map<string, Quality & HashCounts>()

  load(capture: Capture, nowMs: number): void {
    this.#partitions.clear()
    this.#qualities.clear()
    const isZoneKnown = capture.recorder !== null || !isZoneWrong(capture.messages)
    if (capture.isRefused || isClockWrong(capture.messages, nowMs) || !isZoneKnown) {
      this.refused.push(capture.name)
      return
    }
    this.skippedCount += capture.skippedCount
    for (const document of capture.metadata) this.metadata.add(document)
    this.rejects.push(...capture.rejects)
    // Loads the records of each source as if they were a separate capture.
    const feeds = Map.groupBy(capture.messages, ({ venue, market, source }) => JSON.stringify([venue, market, source]))
    for (const messages of feeds.values()) {
      const key = `${messages[0]!.venue} ${messages[0]!.market}`
      const times = timeMessages(messages, nowMs)
      const { runs, timeless } = times
      for (const { date, fromMs } of capture.recorder === null ? holesOf(capture.messages, messages, times) : []) {
        const name = `${key} ${date}`
        this.#holes.set(name, (this.#holes.get(name) ?? new Set()).add(fromMs))
      }
      // A message that has two books counts as one reject.
      const rejected = Map.groupBy(timeless, ({ whole, msg }) => whole ?? msg)
      for (const [first] of rejected.values())
        this.rejects.push({ file: capture.name, line: first!.line, reason: 'no time is known' })
      const { recorder } = capture
      // Each run of a capture without a recorder counts as a capture of its own.
      const parts = recorder === null ? runs : [runs.flat()]
      const captures = [...(this.#captures.get(key) ?? []), ...parts.map((records) => ({ recorder, records }))]
      this.#captures.set(key, captures)
      const isOfTwo = (date: string) => recordersOf(captures, date).length > 1
      // Repeats in a recorder's segment stay: a segment has exactly what the recorder received.
      const uniqueRuns = capture.recorder === null ? withoutRepeats(runs) : runs
      const records = mergeCapture(this.#records.get(key) ?? [], mergeRuns(uniqueRuns), isOfTwo)
      if (records.length > 0) this.#records.set(key, records)
    }
  }

  markets(venue: Venue): string[] {
    const keys = [...this.#records.keys()].filter((key) => key.startsWith(`${venue} `))
    return keys.map((key) => key.slice(venue.length + 1)).sort()
  }

  dates(venue: Venue, market: string): string[] {
    return this.partitions(venue, market).map(({ date }) => date)
  }

  records(venue: Venue, market: string, date: string): ModelRecord[] {
    const partition = this.partitions(venue, market).find((candidate) => candidate.date === date)
    return (partition?.records ?? []).map(printRecord)
  }

  recordCount(): number {
    return [...this.#records.values()].reduce((count, records) => count + records.length, 0)
  }

  summary({ venue, market, assetId, ...request }: ModelSummaryRequest): TrustedBucket[] {
    const book = venue === 'kalshi' ? market : assetId
    if (book === undefined) throw new Error('A Polymarket summary is of one asset_id')
    const partitions = this.partitions(venue, market)
    const inferredGaps = (date: string) => this.quality(venue, market, date, book).inferredGaps
    return summarize(partitions, book, { ...request, inferredGaps })
  }

  /** Returns the quality of one book on one date. */
  quality(venue: Venue, market: string, date: string, book: string): Quality & HashCounts {
    const key = [venue, market, date, book].join(' ')
    const found = this.#qualities.get(key) ?? this.#countQuality(venue, market, date, book)
    this.#qualities.set(key, found)
    return structuredClone(found)
  }

  #countQuality(venue: Venue, market: string, date: string, book: string): Quality & HashCounts {
    const partitions = this.partitions(venue, market)
    const index = partitions.findIndex((partition) => partition.date === date)
    const name = `${venue} ${market} ${date}`
    const { hashesAgreed = 0, hashesChecked = 0 } = this.#hashes.get(name)?.get(book) ?? {}
    const captures = this.#captures.get(`${venue} ${market}`) ?? []
    const recorders = recordersOf(captures, date)
    const holes = recorders.length > 1 ? [] : [...(this.#holes.get(name) ?? [])].sort((a, b) => a - b)
    const continued = continuedBook(partitions, index, book)
    const isReceived = (fromMs: number, toMs: number) => isReceivedBySeveral(captures, date, book, fromMs, toMs)
    const records = recordsOf(partitions[index]!, book)
    const quality = qualityOf(records, continued, recorders.length > 0 ? null : isReceived, holes)
    return { ...quality, hashesAgreed, hashesChecked }
  }

  /** Returns all partitions of a market, by date. */
  partitions(venue: Venue, market: string): Partition[] {
    const key = `${venue} ${market}`
    const found = this.#partitions.get(key)
    if (found !== undefined) return found
    const byDate = Map.groupBy(this.#records.get(key) ?? [], ({ timestamp }) => dateOf(timestamp))
    const partitions: Partition[] = []
    const books = new Set<string>()
    for (const [date, records] of byDate) {
      partitions.push({ date, records: withCoveredGaps(this.#captures.get(key) ?? [], date, records, [...books]) })
      for (const { book } of records) if (book !== null) books.add(book)
    }
    const hashed = new HashedBooks()
    for (const { date, records } of venue === 'polymarket' ? partitions : [])
      this.#hashes.set(`${key} ${date}`, hashed.ofDate(records))
    this.#partitions.set(key, partitions)
    return partitions
  }
}

export function printRecord(record: TimedRecord): ModelRecord {
  const { type, timestamp, receivedAt, book, sid, seq, source, msg } = record
  const head = { type: type === 'covered_gap' ? ('gap' as const) : type, timestamp, received_at: receivedAt }
  const scale = record.isYesScale === true && hasNoPrice(record) && { use_yes_price: true }
  const content = { ...(source !== undefined && { source }), ...scale, msg }
  if (record.venue === 'polymarket') return { ...head, asset_id: book, ...content }
  return { ...head, ticker: record.market, sid, seq, ...content }
}

/** Returns whether a record of Kalshi has a price that depends on the scale of NO prices. */
const hasNoPrice = ({ type, msg }: TimedRecord): boolean =>
  type === 'delta' || (type === 'snapshot' && levelsOf(bodyOf(msg), 'no').length > 0)
