// Reads the stored records of a book and date once, and sends them to an export as `BookEvents`. All exports share this
// code.

import { setImmediate } from 'node:timers/promises'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { DAY_MS, dateStartMs } from '../../storage/units.ts'
import type { BookColumns } from '../book/book-columns.ts'
import { ASK, BID, RUNG_MICROS, SIDE_CELLS } from '../book/ladder.ts'
import { type ComparedLevel, levelKey } from '../book/level-key.ts'
import type { OrderBook } from '../book/order-book.ts'
import { startsFromSnapshot } from '../partition/opening-books.ts'
import { type ReadBlock, replayWindow, type WindowSink } from '../read/window-replay.ts'
import type { BookEvents, PresentRecord } from './book-events.ts'
import { PassedTrades } from './passed-trades.ts'
import { type RecordTimes, recordTimes } from './record-times.ts'

/** Receives the events of one pass and builds a result. */
export interface BookExport<T> extends BookEvents {
  finish(): T | Promise<T>
  /** Discards everything so far. Called if the pass failed, or if it starts again because the day changed. */
  abort(): void
}

export type BookOfDay = PartitionKey & { book: string }

const STEP_RECORDS = 4_096

/** Reads the records of a book and date once, from first to last. Calls `begin` again if a commit changes the day
 *  meanwhile. Rejects with DataError: market_not_stored, block_corrupt. */
export async function passBook<T>(
  store: Store,
  { venue, market, book, date }: BookOfDay,
  begin: () => BookExport<T>,
): Promise<T> {
  const fromMs = dateStartMs(date)
  let made: BookExport<T> | undefined
  try {
    return await replayWindow(
      store,
      { venue, market, book, fromMs, toMs: fromMs + DAY_MS - 1 },
      async (replay, days) => {
        made?.abort()
        made = begin()
        replay.hold()
        // A day that begins with a snapshot or another source does not use the book before it.
        const { startsSwitched } = replay
        const entry = days[0]?.head.books.find(({ id }) => id === book)
        if (startsSwitched || (entry !== undefined && startsFromSnapshot(entry))) replay.book.reset()
        const pass = new BookPass(book, made, startsSwitched)
        pass.open(replay.book, fromMs)
        // Yield to other tasks of the process, and to signals.
        while (replay.step(STEP_RECORDS, pass)) await setImmediate()
        pass.finish()
        replay.release()
        return made.finish()
      },
    )
  } catch (error) {
    made?.abort()
    throw error
  }
}

class BookPass implements WindowSink {
  readonly forgetsColumns = true
  readonly #id: string
  readonly #events: BookEvents
  readonly #at: PresentRecord = {
    record: -1,
    timeMs: 0,
    venueUs: Number.NaN,
    receivedMs: Number.NaN,
    opensQuote: true,
  }
  #book: OrderBook | undefined
  #columns: Pick<BookColumns, 'timesMs' | 'operations'> | undefined
  #times: RecordTimes = { venueUs: new Float64Array(0), receivedMs: new Float64Array(0) }
  #trades: PassedTrades | undefined
  #firstRecord = 0
  #isOpening: boolean
  /** Index of the last switch of sources; negative, since a switch is not a record. */
  #switches = -1
  /** Whether levels of the current record were sent, but `changed` was not called yet. */
  #isOpen = false
  readonly #onLevel: ComparedLevel = (key, _change, _isSigned, sizeNow, sizeBefore) =>
    this.#events.level(this.#at, key, sizeNow, sizeBefore)

  /** If `startsSwitched` is true, the date opens with the book of its first switch. */
  constructor(id: string, events: BookEvents, startsSwitched: boolean) {
    this.#id = id
    this.#events = events
    this.#isOpening = startsSwitched
  }

  open(book: OrderBook, startMs: number): void {
    this.#book = book
    this.#at.timeMs = startMs
    if (isKnown(book)) this.#events.opening(this.#at, book)
  }

  switched(_before: OrderBook, after: OrderBook, atMs: number): void {
    if (this.#isOpening) {
      this.#isOpening = false
      if (isKnown(after)) this.#events.opening(this.#at, after)
      return
    }
    this.finish()
    const record = --this.#switches
    Object.assign(this.#at, { record, timeMs: atMs, venueUs: Number.NaN, receivedMs: Number.NaN, opensQuote: true })
    if (isKnown(after)) this.#events.switched(this.#at, after)
    else this.#events.gap(this.#at, true)
  }

  block({ firstRecord, block, columns }: ReadBlock): void {
    this.finish()
    this.#firstRecord = firstRecord
    this.#columns = columns
    this.#times = recordTimes(block)
    this.#trades = new PassedTrades(block, block.books.indexOf(this.#id) + 1)
  }

  /** Ends the open record and sends the remaining trades of the block. Called before each block and at the end. */
  finish(): void {
    this.#end()
    this.#sendTrades(Number.POSITIVE_INFINITY)
  }

  quote(): void {}
  gap(): void {}
  marketGap(): void {}

  /** Ends the previous record, and requests the levels of the next change. Called before each record that may change
   *  the book, except within a run of `changedCell` calls. */
  isComparing(): boolean {
    this.#end()
    return true
  }

  changedCell(record: number, cell: number, sizeNow: number, sizeBefore: number): void {
    this.#begin(record)
    const side = cell >= SIDE_CELLS ? ASK : BID
    const key = levelKey(side, (cell - side * SIDE_CELLS) * RUNG_MICROS)
    this.#events.level(this.#at, key, sizeNow, sizeBefore)
    this.#events.changed(this.#at, this.#book!)
  }

  comparedLevels(_number: number, record: number): ComparedLevel {
    this.#begin(record)
    this.#isOpen = true
    return this.#onLevel
  }

  snapshotApplied(book: OrderBook, _number: number, record: number): void {
    this.#begin(record)
    this.#events.snapshot(this.#at, book)
  }

  losing(_book: OrderBook, _number: number, record: number): void {
    this.#end()
    this.#begin(record)
    this.#events.gap(this.#at)
  }

  #begin(record: number): void {
    this.#sendTrades(record)
    const { timesMs, operations } = this.#columns!
    this.#place(record, timesMs[record]!)
    this.#at.opensQuote = (operations[record]! & 1) === 1
  }

  #place(record: number, timeMs: number): void {
    const at = this.#at
    at.record = this.#firstRecord + record
    at.timeMs = timeMs
    at.venueUs = this.#times.venueUs[record]!
    at.receivedMs = this.#times.receivedMs[record]!
  }

  #end(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#events.changed(this.#at, this.#book!)
  }

  /** Sends the trades before a record of the block. */
  #sendTrades(record: number): void {
    const trades = this.#trades
    if (trades === undefined) return
    while (trades.nextRecord < record) {
      this.#place(trades.nextRecord, trades.nextTimeMs)
      this.#at.opensQuote = false
      this.#events.trade(this.#at, trades.next())
    }
  }
}

const isKnown = (book: OrderBook): boolean =>
  book.trust === 'established' || book.levels(BID).length + book.levels(ASK).length > 0
