// One market within one capture: gives each record its event time and puts it into its day. Records without a time of
// their own wait for the next one that has it.

import { utcDate } from '../../storage/units.ts'
import type { Venue } from '../../storage/venue.ts'
import type { CaptureMessage } from './capture-message.ts'
import { inferredTimeMs, RunningTime } from './event-time.ts'
import type { MatchedMessage } from './matched-message.ts'
import type { MessageForm } from './message-form.ts'
import { PartitionBuffer } from './partition-buffer.ts'
import type { RecordRow } from './record-row.ts'
import { sameBytes } from './shape-builder.ts'

/** `bytes` are the message and nothing else. */
export type WaitingMessage = Omit<CaptureMessage, 'match'> & { venueUs: number }

const ONE_HOUR_MS = 3_600_000

export class MarketFeed {
  readonly venue: Venue
  readonly market: string
  readonly number: number
  readonly buffers = new Map<string, PartitionBuffer>()
  waiting: WaitingMessage[] = []
  readonly #time = new RunningTime()
  #buffer: PartitionBuffer | undefined

  constructor(venue: Venue, market: string, number: number) {
    this.venue = venue
    this.market = market
    this.number = number
  }

  /** Event time of the record before, -Infinity at the start: the last resort for one that has none at all. */
  get latestMs(): number {
    return this.#time.latestMs
  }

  /** Event time of a waiting message once the next believed time is known (NaN: none follows); NaN if there is none. */
  timeOfWaiting(message: WaitingMessage, nextMs: number): number {
    const inferredMs = inferredTimeMs(message.receivedMs, nextMs)
    if (!Number.isNaN(inferredMs)) return inferredMs
    return Number.isFinite(this.latestMs) ? this.latestMs : Number.NaN
  }

  /** Puts a message into its partition: one record, or one for each book its entries are of. */
  place(row: RecordRow, timeMs: number): void {
    row.timeMs = this.#time.next(timeMs)
    const buffer = this.#bufferAt(row.timeMs)
    const twinMs = earliestTwinMs(row)
    const { form, match } = row
    if (form.bookList < 0) {
      row.bookStart = form.book < 0 ? -1 : match.starts[form.book]!
      row.bookEnd = form.book < 0 ? -1 : match.ends[form.book]!
      buffer.push(row, twinMs)
      return
    }
    const places = bookPlaces(form, match)
    for (let element = 0; element < places.length; element++) {
      row.bookStart = match.elementStarts[places[element]!]!
      row.bookEnd = match.elementEnds[places[element]!]!
      if (isFirstOfBook(row, places, element)) buffer.push(row, twinMs)
    }
  }

  #bufferAt(timeMs: number): PartitionBuffer {
    const current = this.#buffer
    if (current !== undefined && timeMs >= current.startMs && timeMs < current.endMs) return current
    const date = utcDate(timeMs)
    let buffer = this.buffers.get(date)
    if (buffer === undefined) {
      buffer = new PartitionBuffer({ venue: this.venue, market: this.market, date })
      this.buffers.set(date, buffer)
    }
    this.#buffer = buffer
    return buffer
  }
}

/** A stored record that is the same as this one cannot be earlier: venue times agree in every capture. One without a
 *  venue time has the same `received_at`, and can be earlier than it by as much as clocks may differ. */
function earliestTwinMs({ venueUs, timeMs }: RecordRow): number {
  return Number.isNaN(venueUs) ? timeMs - 2 * ONE_HOUR_MS : Math.min(timeMs, Math.floor(venueUs / 1_000))
}

/** Where in the match's element arrays each element's book stands. */
function bookPlaces(form: MessageForm, match: MatchedMessage): number[] {
  const listSlots = form.slots.flatMap((slot, i) => (slot.list === form.bookList ? [i] : []))
  const base = match.listBases[form.bookList]!
  const offset = form.book - listSlots[0]!
  return Array.from(
    { length: match.listLengths[form.bookList]! },
    (_, element) => base + element * listSlots.length + offset,
  )
}

function isFirstOfBook({ bytes, match, bookStart, bookEnd }: RecordRow, places: number[], element: number): boolean {
  for (let earlier = 0; earlier < element; earlier++) {
    const place = places[earlier]!
    if (sameBytes(bytes, match.elementStarts[place]!, match.elementEnds[place]!, bookStart, bookEnd)) return false
  }
  return true
}
