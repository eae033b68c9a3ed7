// One market of a capture, from one source. Gives each record its event time and puts it into its day. Records without
// a plausible time wait for the next record that has one.

import { BOOKS_MAX } from '../../storage/format/block.ts'
import { utcDate } from '../../storage/units.ts'
import { IDENTITIES, type Venue } from '../../storage/venue.ts'
import type { RecordRow } from '../block/record-row.ts'
import { isSameRange } from '../block/shape-builder.ts'
import type { FollowedBooks } from '../book-times/book-times-tracker.ts'
import { TextTableBuilder } from '../bytes/text-table-builder.ts'
import type { CaptureMessage } from '../capture/capture-message.ts'
import { wholeAt } from '../capture/line-frame.ts'
import type { MessageForm } from '../capture/message-form.ts'
import { SequenceSteps } from '../evidence/sequence-steps.ts'
import type { CollectedPartition } from '../partition/collected-partition.ts'
import { PartitionBuffer } from '../partition/partition-buffer.ts'
import type { CaptureFacts, Stretches } from '../venues/capture-facts.ts'
import { inferredTimeMs, RunningTime } from './event-time.ts'
import { MarketHoles } from './market-holes.ts'

/** A message that waits for a time. `bytes` are the message alone. `source` is the message's text in the capture, if
 *  the message was made from only a part of that text. */
export type WaitingMessage = Omit<CaptureMessage, 'match'> & { venueUs: number; source: Uint8Array | undefined }

export type FeedOptions = { isOngoing?: boolean; facts?: CaptureFacts }

/** Up to this many entries, comparing each entry with the entries before it is cheaper than a table. */
const FEW_ENTRIES = 16
const ONE_HOUR_MS = 3_600_000

export class MarketFeed {
  readonly venue: Venue
  readonly market: string
  /** The archive of the market's records; undefined for the user's own records. */
  readonly source: string | undefined
  readonly buffers = new Map<string, PartitionBuffer>()
  waiting: WaitingMessage[] = []
  readonly #time = new RunningTime()
  readonly #tradeIds: Set<number> | undefined
  #buffer: PartitionBuffer | undefined

  readonly #facts: CaptureFacts | undefined
  readonly #stretches: Stretches | undefined
  /** State of the sequence numbers; undefined without `facts`, or if the venue has no sequence numbers. `sid` is the
   *  subscription of the book's last record; -1 if there is none. */
  #numbers: { holes: MarketHoles; steps: SequenceSteps; sid: number } | undefined
  #lastMs = Number.NEGATIVE_INFINITY
  readonly #bookTimes: FollowedBooks = new Map()

  /** `isOngoing` says whether parts of the capture are stored before it ends. */
  constructor(venue: Venue, market: string, source: string | undefined, { isOngoing = false, facts }: FeedOptions) {
    this.venue = venue
    this.market = market
    this.source = source
    if (isOngoing) this.#tradeIds = new Set()
    this.#facts = facts
    this.#stretches = facts?.stretchesOf(source)
    if (facts !== undefined && IDENTITIES[venue].hasSequence)
      this.#numbers = { holes: new MarketHoles(facts.holes), steps: new SequenceSteps([]), sid: -1 }
  }

  /** Event time of the last record; -Infinity at the start. Used for a record that has no time at all. */
  get latestMs(): number {
    return this.#time.latestMs
  }

  /** Returns the event times of the waiting messages. `nextMs` is the next plausible venue time; NaN if there is
   *  none. A message without a receipt time takes the time of the message after it; the last message takes
   *  `nextMs`. */
  timesOfWaiting(nextMs: number): Float64Array {
    const times = new Float64Array(this.waiting.length)
    let followingMs = nextMs
    for (let i = times.length - 1; i >= 0; i--) {
      const { receivedMs } = this.waiting[i]!
      if (!Number.isNaN(receivedMs)) followingMs = inferredTimeMs(receivedMs, nextMs)
      times[i] = followingMs
    }
    return times
  }

  /** Puts a message into its partition: one record, or one for each book of the message's entries. Returns false,
   *  and places nothing, if a market cannot have that many books. `isOwnTime` says whether the time is the message's
   *  own. */
  place(row: RecordRow, timeMs: number, isOwnTime: boolean): boolean {
    row.timeMs = this.#time.next(timeMs)
    row.stretch = this.#stretches?.of(row.message) ?? 0
    const buffer = this.#bufferAt(row.timeMs)
    if (row.timeMs < this.#lastMs && this.#facts?.isSegment === false) this.#beginRun()
    if (this.#numbers !== undefined) this.#noteNumbers(row, buffer)
    this.#lastMs = row.timeMs
    const twinMs = isOwnTime ? Math.min(row.timeMs, timeMs) : earliestTwinMs(row)
    const { form, match } = row
    if (form.bookList < 0) {
      if (form.book < 0) atBytes(row, -1, -1)
      else atBytes(row, match.starts[form.book]!, match.ends[form.book]!)
      row.bookText = form.book < 0 ? 0 : match.texts[form.book]!
      if (!buffer.hasRoomFor(row)) return false
      buffer.push(row, twinMs, isOwnTime)
      return true
    }
    const slots = slotsOfBookList(form)
    if (match.listLengths[form.bookList] === 1) {
      atBook(row, match.listBases[form.bookList]! + form.book - slots[0]!)
      row.bookText = match.texts[form.book]!
      if (!buffer.hasRoomFor(row)) return false
      buffer.push(row, twinMs, isOwnTime)
      return true
    }
    const places = firstPlaces(row, slots)
    if (places.length > BOOKS_MAX || !places.every((place) => buffer.hasRoomFor(atBook(row, place)))) return false
    for (let i = 0; i < places.length; i++) buffer.push(atBook(row, places[i]!), twinMs, isOwnTime)
    return true
  }

  /** Returns the records placed so far, by day, and removes them. Records that are placed later still belong to the
   *  same capture. */
  collect(): CollectedPartition[] {
    const { source } = this
    const hasStretches = this.#stretches?.isSound === true
    const collected = [...this.buffers.values()].map((buffer): CollectedPartition => {
      const holesMs = this.#numbers?.holes.on(buffer.key.date) ?? []
      const of = source === undefined ? {} : { source }
      return { ...buffer.collect(hasStretches), ...of, sequenceHoles: holesMs.map((fromMs) => ({ fromMs })) }
    })
    this.buffers.clear()
    this.#buffer = undefined
    // Skips empty buffers: a buffer stays empty if the message for which it was opened did not fit.
    return collected.filter(({ recordCount }) => recordCount > 0)
  }

  /** Begins a run of a capture without a recorder. A run counts as a capture of its own. */
  #beginRun(): void {
    this.#bookTimes.clear()
    for (const buffer of this.buffers.values()) buffer.beginRun()
    if (this.#numbers !== undefined) this.#numbers = { ...this.#numbers, steps: new SequenceSteps([]), sid: -1 }
  }

  #noteNumbers({ form, bytes, match, message, timeMs }: RecordRow, buffer: PartitionBuffer): void {
    const { kind, hasSid, hasSeq } = form.shape
    const sid = form.isPrinted || !hasSid ? -1 : wholeAt(bytes, match.starts[form.sid]!, match.ends[form.sid]!)
    const numbers = this.#numbers!
    const isOfBook = kind === 'snapshot' || kind === 'delta'
    numbers.holes.place(isOfBook ? sid : -1, message, timeMs)
    if (sid < 0 || !hasSeq || this.#facts!.isSegment) return
    const isStepBack = numbers.steps.isStepBack(sid, wholeAt(bytes, match.starts[form.seq]!, match.ends[form.seq]!))
    const isOther = kind === 'snapshot' && numbers.sid >= 0 && sid !== numbers.sid
    if (isOfBook) numbers.sid = sid
    // The connection or the subscription is new: messages may be missing since the last record.
    if (isStepBack || isOther) buffer.interrupt(this.#lastMs)
  }

  #bufferAt(timeMs: number): PartitionBuffer {
    const current = this.#buffer
    if (current !== undefined && timeMs >= current.startMs && timeMs < current.endMs) return current
    const date = utcDate(timeMs)
    let buffer = this.buffers.get(date)
    if (buffer === undefined) {
      buffer = new PartitionBuffer({ venue: this.venue, market: this.market, date }, this.#tradeIds, this.#bookTimes)
      this.buffers.set(date, buffer)
    }
    current?.endRun()
    this.#buffer = buffer
    return buffer
  }
}

/** Returns the earliest event time that a stored copy of this record can have, if the record's event time is not the
 *  venue's time. The copy has the same `received_at`, and its event time can be earlier than that by as much as the
 *  clocks may differ. Without a `received_at`, the copy took the time of the record that followed it, which can be any
 *  time. */
function earliestTwinMs({ receivedMs, timeMs }: RecordRow): number {
  return Number.isNaN(receivedMs) ? Number.NEGATIVE_INFINITY : timeMs - 2 * ONE_HOUR_MS
}

function atBook(row: RecordRow, place: number): RecordRow {
  atBytes(row, row.match.elementStarts[place]!, row.match.elementEnds[place]!)
  row.bookText = 0
  return row
}

/** Sets where the id of the row's book is in the bytes. An empty id names no book. */
function atBytes(row: RecordRow, start: number, end: number): void {
  row.bookStart = start === end ? -1 : start
  row.bookEnd = start === end ? -1 : end
}

/** Returns the slots of the list that names the books, in order. */
function slotsOfBookList({ parts, bookList }: MessageForm): readonly number[] {
  for (const part of parts) if (part.type === 'list' && part.list === bookList) return part.slots
  throw new Error(`the form has no list ${bookList}`)
}

/** Returns where in the match's element arrays each book occurs first. */
function firstPlaces(row: RecordRow, listSlots: readonly number[]): number[] {
  const { form, match, bytes } = row
  const length = match.listLengths[form.bookList]!
  const first = match.listBases[form.bookList]! + form.book - listSlots[0]!
  const firsts: number[] = []
  const known = length > FEW_ENTRIES ? new TextTableBuilder() : undefined
  for (let element = 0; element < length; element++) {
    const place = first + element * listSlots.length
    const { bookStart, bookEnd } = atBook(row, place)
    const isFirst =
      known === undefined
        ? !firsts.some((other) => isSameBook(row, other))
        : known.indexOf(bytes, bookStart, bookEnd) === firsts.length
    if (isFirst) firsts.push(place)
  }
  return firsts
}

const isSameBook = ({ bytes, match, bookStart, bookEnd }: RecordRow, place: number): boolean =>
  isSameRange(bytes, match.elementStarts[place]!, match.elementEnds[place]!, bookStart, bookEnd)
