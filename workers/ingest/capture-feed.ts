// One capture on its way in: messages find their market, their event time and their partition.

import type { Venue } from '../../storage/venue.ts'
import { isBelievable } from './event-time.ts'
import { LineParser, type LineSink } from './line-parser.ts'
import { MarketFeed } from './market-feed.ts'
import { MatchedMessage } from './matched-message.ts'
import { type MessageForm, matchForm } from './message-form.ts'
import type { PartitionBuffer } from './partition-buffer.ts'
import type { RecordRow } from './record-row.ts'
import { TextTableBuilder } from './text-table-builder.ts'
import { parseDocument } from './unknown-line.ts'
import { readTime, venueTimeUs } from './venue-time.ts'

export type CaptureCounts = { messages: number; records: number; skipped: Record<string, number>; rejected: number }

/** Called for the line or document being parsed, or for an earlier message that lies in `place`. */
export type OnReject = (reason: string, place?: { line: number; bytes: Uint8Array }) => void

const WAITING_MAX = 10_000
const MARKET_ID: Record<Venue, RegExp> = { polymarket: /^0x[0-9a-fA-F]{64}$/, kalshi: /^[A-Za-z0-9._-]{1,128}$/ }

export class CaptureFeed implements LineSink {
  readonly counts: CaptureCounts = { messages: 0, records: 0, skipped: {}, rejected: 0 }
  readonly metadataDocuments: unknown[] = []
  readonly #parser = new LineParser(this)
  readonly #feeds = new Map<string, MarketFeed>()
  readonly #loadingMs: number
  readonly #onReject: OnReject
  #line = 0
  readonly #waitingMatch = new MatchedMessage()
  /** Markets as messages spell them, numbered, so that finding a message's feed makes no string. */
  readonly #spellings = { polymarket: new TextTableBuilder(), kalshi: new TextTableBuilder() }
  readonly #feedsBySpelling: Record<Venue, (MarketFeed | undefined)[]> = { polymarket: [], kalshi: [] }
  #row: RecordRow | undefined

  /** `loadingMs` is the moment of loading. */
  constructor(loadingMs: number, onReject: OnReject) {
    this.#loadingMs = loadingMs
    this.#onReject = onReject
  }

  line(bytes: Uint8Array, start: number, end: number, line: number): void {
    this.#line = line
    this.#parser.parse(bytes, start, end)
  }

  /** A whole file that is one JSON document, parsed before. */
  document(bytes: Uint8Array): void {
    this.#line = 1
    parseDocument(bytes, this, this.#parser)
  }

  /** Nothing follows: what waits for a later record gets its time without one. */
  finish(): PartitionBuffer[] {
    const buffers: PartitionBuffer[] = []
    for (const feed of this.#feeds.values()) {
      this.#placeWaiting(feed, Number.NaN)
      buffers.push(...feed.buffers.values())
    }
    return buffers
  }

  *buffers(): Generator<PartitionBuffer> {
    for (const feed of this.#feeds.values()) yield* feed.buffers.values()
  }

  message(form: MessageForm, bytes: Uint8Array, match: MatchedMessage, receivedMs: number): void {
    this.counts.messages++
    const feed = this.#feedOf(form, bytes, match)
    if (feed === undefined) return
    const eventMs = Math.floor(timeAt(form.eventTime, bytes, match) / 1_000)
    const eventWholeMs = form.eventTime >= 0 && readTime.isWholeMs ? eventMs : Number.NaN
    const { timeSlot } = form.shape
    const venueUs = timeSlot < 0 ? Number.NaN : timeAt(timeSlot + form.firstSlot, bytes, match)
    if (!isBelievable(form.venue, form.shape.kind, eventMs, receivedMs, this.#loadingMs)) {
      feed.waiting.push({
        form,
        bytes: bytes.slice(match.messageStart, match.messageEnd),
        receivedMs,
        venueUs,
        line: this.#line,
      })
      if (feed.waiting.length > WAITING_MAX) this.#placeWaiting(feed, Number.NaN)
      return
    }
    if (feed.waiting.length > 0) this.#placeWaiting(feed, eventMs)
    const row = this.#rowOf(form, bytes, match, receivedMs, venueUs)
    row.venueInstantUs = timeSlot >= 0 && readTime.isCanonical ? venueUs : Number.NaN
    row.eventWholeMs = eventWholeMs
    feed.place(row, eventMs)
  }

  skip(what: string): void {
    this.counts.skipped[what] = (this.counts.skipped[what] ?? 0) + 1
  }

  reject(reason: string, message?: Uint8Array): void {
    this.counts.rejected++
    this.#onReject(reason, message === undefined ? undefined : { line: this.#line, bytes: message })
  }

  metadata(value: unknown): void {
    this.metadataDocuments.push(value)
  }

  /** The one row there is, filled anew: its event time is for its feed to say. */
  #rowOf(form: MessageForm, bytes: Uint8Array, match: MatchedMessage, receivedMs: number, venueUs: number): RecordRow {
    this.#row ??= newRow(form, bytes, match)
    const row = this.#row
    row.message = this.counts.messages
    row.form = form
    row.bytes = bytes
    row.match = match
    row.receivedMs = receivedMs
    row.venueUs = venueUs
    row.venueInstantUs = Number.NaN
    row.eventWholeMs = Number.NaN
    return row
  }

  #placeWaiting(feed: MarketFeed, nextMs: number): void {
    const { waiting } = feed
    feed.waiting = []
    for (const message of waiting) {
      const { form, bytes, receivedMs, venueUs, line } = message
      const timeMs = feed.timeOfWaiting(message, nextMs)
      if (Number.isNaN(timeMs)) {
        this.counts.rejected++
        this.#onReject(`the message has no time, and no record of ${feed.market} near it has one`, { line, bytes })
        continue
      }
      matchForm(form, bytes, 0, bytes.length, 'parsed', this.#waitingMatch)
      feed.place(this.#rowOf(form, bytes, this.#waitingMatch, receivedMs, venueUs), timeMs)
    }
  }

  /** Undefined, and rejected, where the message names no market that the venue could have. */
  #feedOf(form: MessageForm, bytes: Uint8Array, match: MatchedMessage): MarketFeed | undefined {
    const start = match.starts[form.market]!
    const end = match.ends[form.market]!
    const spelling = this.#spellings[form.venue].indexOf(bytes, start, end)
    const feeds = this.#feedsBySpelling[form.venue]
    if (spelling === feeds.length) feeds.push(this.#newSpelling(form.venue, bytes.subarray(start, end)))
    const feed = feeds[spelling]
    if (feed === undefined) {
      this.reject(`"${new TextDecoder().decode(bytes.subarray(start, end))}" is no market of ${form.venue}`)
    }
    return feed
  }

  #newSpelling(venue: Venue, spelling: Uint8Array): MarketFeed | undefined {
    const printed = new TextDecoder().decode(spelling)
    if (!MARKET_ID[venue].test(printed)) return undefined
    const market = venue === 'kalshi' ? printed.toUpperCase() : printed.toLowerCase()
    const key = `${venue} ${market}`
    const feed = this.#feeds.get(key) ?? new MarketFeed(venue, market)
    this.#feeds.set(key, feed)
    return feed
  }
}

function newRow(form: MessageForm, bytes: Uint8Array, match: MatchedMessage): RecordRow {
  const times = { timeMs: Number.NaN, receivedMs: Number.NaN, venueUs: Number.NaN }
  const spelt = { venueInstantUs: Number.NaN, eventWholeMs: Number.NaN }
  return { form, bytes, match, message: 0, ...times, ...spelt, bookStart: -1, bookEnd: -1 }
}

function timeAt(slot: number, bytes: Uint8Array, match: MatchedMessage): number {
  return slot < 0 ? Number.NaN : venueTimeUs(bytes, match.starts[slot]!, match.ends[slot]!)
}
