// Gives the messages of a capture, or of some of its markets, their event times, and collects them as partitions within
// memory bounds.

import { BOOKS_MAX } from '../../storage/format/block.ts'
import type { Venue } from '../../storage/venue.ts'
import { isBelievable } from '../block/believable-time.ts'
import type { RecordRow } from '../block/record-row.ts'
import { SpillFile } from '../block/spill-file.ts'
import type { CaptureMessage, MessageSink } from '../capture/capture-message.ts'
import { MatchedMessage } from '../capture/matched-message.ts'
import { matchForm } from '../capture/message-form.ts'
import { collectGarbage, LOADING } from '../collect-garbage.ts'
import type { CollectedPartition } from '../partition/collected-partition.ts'
import type { PartitionBuffer } from '../partition/partition-buffer.ts'
import type { CaptureFacts } from '../venues/capture-facts.ts'
import { readTime, slotTimeUs } from '../venues/venue-time.ts'
import { checkClock } from './event-time.ts'
import { MarketFeed, type WaitingMessage } from './market-feed.ts'
import { ReceiptZone } from './receipt-zone.ts'

const OPEN_BYTES_MAX = 48 << 20
const CLOSED_BYTES_MAX = 32 << 20
const MESSAGES_BETWEEN_CHECKS = 8_192
const WAITING_MAX = 10_000
const TOO_MANY_BOOKS = `a market may have at most ${BOOKS_MAX} books`

export type RouterOptions = {
  /** Data folder, for a temporary file. */
  folder: string
  /** Time of loading, Unix ms. While a capture is still recorded, the caller updates it. */
  loadingMs: number
  /** Number of threads that load at once. They share the memory limits. */
  threads: number
  /** Whether all messages of a market come before the first message of the next market. */
  isByMarket?: boolean | undefined
  /** Whether parts of the capture are stored before it ends. */
  isOngoing?: boolean
  /** Facts about the whole capture; without them, no book has holes and the capture is one stretch. */
  facts?: CaptureFacts
  /** Receives a message that turns out not to be storable. */
  onReject: (line: number, reason: string, bytes: Uint8Array) => void
}

export class RecordRouter implements MessageSink {
  readonly zone = new ReceiptZone()
  readonly #options: RouterOptions
  readonly #spill: SpillFile
  readonly #feeds: MarketFeed[] = []
  readonly #waitingMatch = new MatchedMessage()
  #row: RecordRow | undefined
  #checkAt = MESSAGES_BETWEEN_CHECKS
  #placed = 0

  constructor(options: RouterOptions) {
    this.#options = options
    this.#spill = new SpillFile(options.folder)
  }

  addMarket(venue: Venue, market: string, source: string | undefined): void {
    // Close finished blocks: an open block has columns for many records, whether they are used or not.
    if (this.#options.isByMarket) for (const buffer of this.#feeds.at(-1)?.buffers.values() ?? []) buffer.closeBlock()
    this.#feeds.push(new MarketFeed(venue, market, source, this.#options))
  }

  place(market: number, message: CaptureMessage): void {
    if (++this.#placed >= this.#checkAt) this.#limitMemory()
    const feed = this.#feeds[market]!
    const { form, bytes, match, receivedMs, line } = message
    const eventMs = Math.floor(slotTimeUs(form.eventTime, bytes, match) / 1_000)
    const eventWholeMs = form.eventTime >= 0 && readTime.isWholeMs ? eventMs : Number.NaN
    const { timeSlot } = form.shape
    const venueUs = timeSlot < 0 ? Number.NaN : slotTimeUs(timeSlot + form.firstSlot, bytes, match)
    const { loadingMs } = this.#options
    if (isTimely(form)) this.zone.note(eventMs, receivedMs)
    if (!form.isPrinted && !isBelievable(form.venue, form.shape.kind, eventMs, receivedMs, loadingMs)) {
      checkClock(eventMs, receivedMs, loadingMs)
      feed.waiting.push({
        form,
        bytes: bytes.slice(match.messageStart, match.messageEnd),
        receivedMs,
        venueUs,
        line,
        number: message.number,
        source: match.sourceEnd > 0 ? bytes.slice(match.messageEnd, match.sourceEnd) : undefined,
      })
      if (feed.waiting.length > WAITING_MAX) this.#placeWaiting(feed, Number.NaN)
      return
    }
    if (feed.waiting.length > 0) this.#placeWaiting(feed, eventMs)
    const row = this.#rowOf(message, venueUs)
    row.venueInstantUs = timeSlot >= 0 && readTime.isCanonical ? venueUs : Number.NaN
    row.eventWholeMs = eventWholeMs
    if (feed.place(row, eventMs, true)) return
    const [start, end] =
      match.sourceEnd > 0 ? [match.messageEnd, match.sourceEnd] : [match.messageStart, match.messageEnd]
    this.#options.onReject(line, TOO_MANY_BOOKS, bytes.subarray(start, end))
  }

  /** Places a message without text whose event time is the venue's time, in ms. Returns false if the text is needed,
   *  because that time is not plausible or earlier messages wait. */
  placeValues(market: number, message: CaptureMessage): boolean {
    const feed = this.#feeds[market]!
    const { form, match, receivedMs } = message
    const eventMs = match.numbers[form.eventTime]!
    const isBelieved = isBelievable(form.venue, form.shape.kind, eventMs, receivedMs, this.#options.loadingMs)
    if (!isBelieved || feed.waiting.length > 0) return false
    if (++this.#placed >= this.#checkAt) this.#limitMemory()
    return feed.place(this.#rowOf(message, 1_000 * eventMs), eventMs, true)
  }

  /** Ends the capture: waiting messages get their time without a later record. Returns the days of each market, in the
   *  order of the markets' numbers, without markets that have no record. */
  collect(): CollectedPartition[][] {
    return this.collectBefore(Number.POSITIVE_INFINITY)
  }

  /** Works as `collect` while the capture continues. Waiting messages up to the last one received by `receivedMs` get
   *  their time without a later record. Later messages continue to wait. */
  collectBefore(receivedMs: number): CollectedPartition[][] {
    const markets: CollectedPartition[][] = []
    for (const feed of this.#feeds) {
      if (feed.waiting.length > 0) this.#placeReceived(feed, receivedMs)
      if (feed.buffers.size === 0) continue
      const partitions = feed.collect()
      if (partitions.length > 0) markets.push(partitions)
      collectGarbage(LOADING)
    }
    return markets
  }

  /** Returns the open temporary file that blocks may be in, which the caller closes; undefined if there is none. */
  releaseFile(): number | undefined {
    return this.#spill.release()
  }

  /** Refills the one row object with a message. The market's feed sets the row's event time. */
  #rowOf({ form, bytes, match, receivedMs, number }: CaptureMessage, venueUs: number): RecordRow {
    this.#row ??= newRow(form, bytes, match)
    const row = this.#row
    row.message = number
    row.form = form
    row.bytes = bytes
    row.match = match
    row.receivedMs = receivedMs
    row.venueUs = venueUs
    row.venueInstantUs = Number.NaN
    row.eventWholeMs = Number.NaN
    return row
  }

  #placeReceived(feed: MarketFeed, byMs: number): void {
    const { waiting } = feed
    const last = byMs === Number.POSITIVE_INFINITY ? waiting.length - 1 : lastReceived(waiting, byMs)
    feed.waiting = waiting.slice(0, last + 1)
    this.#placeWaiting(feed, Number.NaN)
    feed.waiting = waiting.slice(last + 1)
  }

  #placeWaiting(feed: MarketFeed, nextMs: number): void {
    const { waiting } = feed
    const times = feed.timesOfWaiting(nextMs)
    feed.waiting = []
    const match = this.#waitingMatch
    for (const [i, message] of waiting.entries()) {
      const { form, bytes, venueUs, line, source = bytes } = message
      const timeMs = Number.isNaN(times[i]!) ? feed.latestMs : times[i]!
      if (!Number.isFinite(timeMs)) {
        const reason = `the message has no time, and no record of ${feed.market} near it has one`
        this.#options.onReject(line, reason, source)
        continue
      }
      matchForm(form, bytes, 0, bytes.length, 'parsed', match)
      if (feed.place(this.#rowOf({ ...message, match }, venueUs), timeMs, false)) continue
      this.#options.onReject(line, TOO_MANY_BOOKS, source)
    }
  }

  // Closes or spills blocks to limit memory. A block that is closed before it is full costs a second pass when its
  // partition is committed. So the buffers without new records for the longest time go first: their market has probably
  // ended.
  #limitMemory(): void {
    this.#checkAt = this.#placed + MESSAGES_BETWEEN_CHECKS
    const { threads } = this.#options
    const buffers = [...this.#buffers()]
    let openBytes = buffers.reduce((sum, buffer) => sum + buffer.openBytes, 0)
    if (openBytes > OPEN_BYTES_MAX / threads) {
      buffers.sort((a, b) => a.touchedAt - b.touchedAt)
      for (const buffer of buffers) {
        if (openBytes <= OPEN_BYTES_MAX / threads / 2) break
        openBytes -= buffer.openBytes
        buffer.closeBlock()
      }
    }
    if (buffers.reduce((sum, buffer) => sum + buffer.closedBytes, 0) > CLOSED_BYTES_MAX / threads) {
      for (const buffer of buffers) buffer.spill((bytes) => this.#spill.write(bytes))
    }
    collectGarbage(LOADING)
  }

  *#buffers(): Generator<PartitionBuffer> {
    for (const feed of this.#feeds) yield* feed.buffers.values()
  }
}

/** Returns whether the venue sends a message of this form at its event time. A book may be sent long after its last
 *  change. */
const isTimely = ({ isPrinted, shape: { kind } }: CaptureMessage['form']): boolean =>
  !isPrinted && (kind === 'delta' || kind === 'trade')

const lastReceived = (waiting: readonly WaitingMessage[], byMs: number): number =>
  waiting.findLastIndex(({ receivedMs }) => receivedMs <= byMs)

function newRow(form: CaptureMessage['form'], bytes: Uint8Array, match: MatchedMessage): RecordRow {
  const times = { timeMs: Number.NaN, receivedMs: Number.NaN, venueUs: Number.NaN }
  const venueTimes = { venueInstantUs: Number.NaN, eventWholeMs: Number.NaN }
  return {
    form,
    bytes,
    match,
    message: 0,
    stretch: 0,
    ...times,
    ...venueTimes,
    bookStart: -1,
    bookEnd: -1,
    bookText: 0,
  }
}
