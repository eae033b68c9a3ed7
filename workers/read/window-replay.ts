// Replays one book over a window of stored days, stopping at any sequence of instants. Requests about a book over time
// (its depth, its changes, the book at an instant) are sinks of this replay, or read the book where it stops.

import { blockPart, type PartId, type Parts, statePart } from '../../storage/block-store.ts'
import type { StoredDay } from '../../storage/catalogue.ts'
import { BLOCK_RECORDS_MAX, type Block } from '../../storage/format/block.ts'
import { hasSwitch, startMsOf } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import { dateStartMs, utcDate } from '../../storage/units.ts'
import { recordsUpTo } from '../block/records-up-to.ts'
import { type BookColumns, freeColumns } from '../book/book-columns.ts'
import { NO_MARK } from '../book/book-mark.ts'
import { releaseBook, takeBook } from '../book/book-pool.ts'
import type { OrderBook } from '../book/order-book.ts'
import { type QuoteSink, SILENT } from '../book/replay.ts'
import { type BegunBlock, BookCursor, isRead, type StoredBook } from './book-cursor.ts'
import { consistently } from './consistently.ts'
import {
  type BookWindow,
  continuesDayBefore,
  partsOfReplay,
  planDayBefore,
  planReplay,
  type ReplayDay,
} from './plan-replay.ts'
import { requireMarket } from './require-market.ts'

export interface WindowSink extends QuoteSink {
  /** Called before the first records of a block. */
  block?(read: ReadBlock): void
  /** Whether the sink no longer needs the columns of a block once all records of the block are applied. Then the
   *  columns can be freed. */
  readonly forgetsColumns?: boolean
}

/** Record i of the block is record `firstRecord + i` of the day; `index` is the index of the block in the day's
 *  head. */
export type ReadBlock = { day: ReplayDay; index: number; firstRecord: number; block: Block; columns: BookColumns }

/** Calls `compute` with the replay. Calls it again if a commit changes the data in between. Rejects with DataError:
 *  market_not_stored, block_corrupt. */
export function replayWindow<T>(
  store: Store,
  window: BookWindow,
  compute: (replay: WindowReplay, days: StoredDay[]) => T | Promise<T>,
): Promise<T> {
  return consistently(store, window, async () => {
    await requireMarket(store, window)
    const { venue, market, fromMs, toMs } = window
    const from = utcDate(Math.min(fromMs, toMs))
    const days = await store.catalogue.heads(venue, market, { from, to: utcDate(toMs) })
    let planned = planReplay(window, days)
    if (continuesDayBefore(planned)) {
      const before = await store.catalogue.neighbour({ venue, market, date: from }, 'before')
      if (before !== undefined) planned = [planDayBefore(window, before), ...planReplay(window, days, before)]
    }
    const parts = await store.blocks.fetch(partsOfReplay(planned))
    return compute(new WindowReplay(parts, window, planned), days)
  })
}

/** The day and the next block of the replay. `begun` is set once that block is read. `announcedTo` is the last sink
 *  whose `block` method was called for that block. */
type Place = {
  day: ReplayDay
  cursor: BookCursor
  block: number
  begun: BegunBlock | undefined
  announcedTo?: WindowSink
  /** Whether the replay has entered the source that the day begins with. */
  isEntered: boolean
}
/** Returns whether the replay needs the next block or day, which starts at `fromMs`. */
type IsWanted = (place: Place, fromMs: number) => boolean
type BegunPlace = Place & { begun: BegunBlock }

export class WindowReplay {
  readonly #parts: Parts
  readonly #window: BookWindow
  readonly #days: readonly ReplayDay[]
  /** Copies of parts of the last day, by their ids, for later reads. */
  readonly #held = new Map<number, Uint8Array>()
  #start: StoredBook | undefined
  #place: Place | undefined
  #dayIndex = 0

  constructor(parts: Parts, window: BookWindow, days: readonly ReplayDay[]) {
    this.#parts = parts
    this.#window = window
    this.#days = days
  }

  /** The current book, the same object over all days. Before the first record of a day, it has the state in which the
   *  day before ended. */
  get book(): OrderBook {
    return this.start.book
  }

  /** The stored state from which the replay started, before the block in which the window begins. Its `book` is the
   *  current book, so only its other values still describe that state. */
  get start(): StoredBook {
    this.#start ??= this.#open()?.cursor ?? { book: takeBook(), mark: NO_MARK, progress: null }
    return this.#start
  }

  /** The first of the days that the replay reads. */
  get firstDate(): string | undefined {
    return this.#days[0]?.key.date
  }

  /** Whether any day of the replay switches to another source. */
  get hasSwitch(): boolean {
    return this.#days.some(({ head, isSwitched }) => isSwitched || hasSwitch(head))
  }

  /** Whether the window begins with a day whose first source differs from the last source of the stored day
   *  before. */
  get startsSwitched(): boolean {
    return this.#days.some(({ isSwitched, firstBlock }) => isSwitched && firstBlock === 0)
  }

  /** Releases the book, which must not be used afterwards. */
  release(): void {
    if (this.#start !== undefined) releaseBook(this.#start.book)
    this.#start = undefined
  }

  /** Copies the last blocks of the window, because the next append may join them into larger blocks. For callers that
   *  continue the replay after other commits. */
  hold(): void {
    const day = this.#days.at(-1)
    if (day === undefined) return
    const { key, head, bookIndex, firstBlock, endBlock } = day
    for (let block = endBlock - 1; block >= firstBlock; block--) {
      const entry = head.blocks[block]!
      if (entry.recordCount >= BLOCK_RECORDS_MAX) return
      const parts = isRead(head, entry, bookIndex) ? [blockPart(entry.id)] : []
      if (entry.begins !== undefined && block > firstBlock) parts.push(statePart(entry.stateId))
      for (const part of parts) this.#held.set(part.id, this.#parts.bytes(key, part).slice())
    }
  }

  /** Applies the records up to and including an instant, but not beyond the window. */
  advanceTo(timeMs: number, sink: WindowSink = SILENT): void {
    const toMs = Math.min(timeMs, this.#window.toMs)
    this.#advance(
      sink,
      (_, fromMs) => fromMs <= toMs,
      ({ begun }) => recordsUpTo(begun.replay.columns, toMs),
    )
  }

  /** Applies the records up to and including one record of a date. */
  advanceToRecord(date: string, record: number, sink: WindowSink = SILENT): void {
    const countOf = ({ day, block }: Place) => {
      if (day.key.date !== date) return day.key.date < date ? Number.POSITIVE_INFINITY : 0
      return record + 1 - day.head.blocks[block]!.firstRecord
    }
    this.#advance(sink, (place) => countOf(place) > 0, countOf)
  }

  /** Applies the next `count` records of the window, or fewer at the end of a block. Returns false if no record
   *  follows. */
  step(count: number, sink: WindowSink): boolean {
    const place = this.#nextBlock(sink, () => true)
    if (place === undefined) return false
    const { columns, applied } = place.begun.replay
    const end = this.#endIn(place, columns)
    if (end <= applied) return false
    this.#apply(place, Math.min(applied + count, end), sink)
    return true
  }

  /** Returns the number of records of a block that are in the window or before it. */
  #endIn({ day, block }: Place, records: Pick<BookColumns, 'timesMs' | 'recordCount'>): number {
    const { toMs, toRecord } = this.#window
    return toRecord === undefined ? recordsUpTo(records, toMs) : toRecord + 1 - day.head.blocks[block]!.firstRecord
  }

  #advance(sink: WindowSink, isWanted: IsWanted, countOf: (place: BegunPlace) => number): void {
    let place = this.#nextBlock(sink, isWanted)
    while (place !== undefined && this.#apply(place, countOf(place), sink)) place = this.#nextBlock(sink, isWanted)
  }

  /** Returns the next block with records of the book. Returns undefined after the last block, or if `isWanted` returns
   *  false. `isWanted` is called before the block is read. */
  #nextBlock(sink: WindowSink, isWanted: IsWanted): BegunPlace | undefined {
    for (let place = this.#open(); place !== undefined; place = this.#open()) {
      const { day, cursor } = place
      if (!place.isEntered) {
        const dayMs = dateStartMs(day.key.date)
        if (!isWanted(place, dayMs)) return undefined
        cursor.enterDay(dayMs, sink)
        place.isEntered = true
      }
      for (; place.block < day.endBlock; place.block++) {
        if (!isWanted(place, startMsOf(day.head.blocks[place.block]!))) return undefined
        if (place.begun === undefined) cursor.enter(place.block, sink)
        place.begun ??= cursor.begin(place.block, { end: (records) => this.#endIn(place, records) })
        if (place.begun !== undefined) return place as BegunPlace
      }
      if (day.endBlock < day.head.blocks.length) return undefined
      if (cursor.openQuoteMs >= 0 && this.#days[this.#dayIndex + 1] !== undefined) cursor.finish(sink)
      this.#place = undefined
      this.#dayIndex++
    }
    return undefined
  }

  /** Applies the records of a block that come before `end`. Returns false if the block also has records from `end`
   *  on. */
  #apply(place: BegunPlace, end: number, sink: WindowSink): boolean {
    const { day, block: index, begun } = place
    const { columns } = begun.replay
    if (place.announcedTo !== sink)
      sink.block?.({ day, index, firstRecord: day.head.blocks[index]!.firstRecord, block: begun.block, columns })
    place.announcedTo = sink
    begun.replay.to(Math.min(end, columns.recordCount), sink)
    if (end < columns.recordCount) return false
    if (sink.forgetsColumns) freeColumns(columns)
    Object.assign(place, { begun: undefined, announcedTo: undefined })
    place.block++
    return true
  }

  #open(): Place | undefined {
    const day = this.#days[this.#dayIndex]
    if (this.#place !== undefined || day === undefined) return this.#place
    const held = day === this.#days.at(-1) ? this.#held : undefined
    const bytes = (part: PartId) => held?.get(part.id) ?? this.#parts.bytes(day.key, part)
    const parts = { books: () => this.#parts.books(day.key), bytes }
    const id = { id: this.#window.book, index: day.bookIndex }
    const cursor = new BookCursor({ ...day, ...parts }, id, day.firstBlock, this.#start)
    // A quote from a day before the window must not be reported.
    if (day.firstBlock === day.head.blocks.length) cursor.book.openQuoteMs = -1
    this.#start ??= cursor
    const isEntered = !(day.isSwitched && day.firstBlock === 0)
    this.#place = { day, cursor, block: day.firstBlock, begun: undefined, isEntered }
    return this.#place
  }
}
