// One book over a window of stored days, replayed up to one moment after another. What is asked of a book over time
// (its depth, its changes, itself at an instant) is a sink of this, or a look at the book between two moments.

import type { Parts } from '../../storage/block-store.ts'
import type { StoredDay } from '../../storage/catalogue.ts'
import type { BlockEntry } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import { utcDate } from '../../storage/units.ts'
import type { BookColumns } from '../book/book-columns.ts'
import { OrderBook } from '../book/order-book.ts'
import { type BlockReplay, type QuoteSink, SILENT } from '../book/replay.ts'
import { BookCursor } from './book-cursor.ts'
import { consistently } from './consistently.ts'
import { type BookWindow, partsOfReplay, planReplay, type ReplayDay } from './plan-replay.ts'
import { requireMarket } from './require-market.ts'

export interface WindowSink extends QuoteSink {
  /** Before the first records of a block: its record i is record `entry.firstRecord + i` of the day. */
  block?(day: ReplayDay, entry: BlockEntry, columns: BookColumns): void
  /** From now on it is this book, which may have other levels than the one of the day before. */
  enter?(book: OrderBook, day: ReplayDay): void
}

/** `compute` may run again where a commit came in between. Rejects with DataError: market_not_stored, block_corrupt. */
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
    const planned = planReplay(window, days)
    const parts = await store.blocks.fetch(partsOfReplay(planned))
    return compute(new WindowReplay(parts, window, planned), days)
  })
}

/** The day that is replayed, and the block that is next. `begun` is that block once it is read; its first record that
 *  concerns the book is `first`. */
type Place = { day: ReplayDay; cursor: BookCursor; block: number; begun: BlockReplay | undefined; first: number }

export class WindowReplay {
  readonly #parts: Parts
  readonly #window: BookWindow
  readonly #days: readonly ReplayDay[]
  #book: OrderBook | undefined
  #place: Place | undefined
  #dayIndex = 0

  constructor(parts: Parts, window: BookWindow, days: readonly ReplayDay[]) {
    this.#parts = parts
    this.#window = window
    this.#days = days
  }

  /** As it stands. Before the first record of the first day that is its opening book, or one that nothing is known of.
   *  A new day's book takes its place with the first record that concerns it: until then the last one stands. */
  get book(): OrderBook {
    if (this.#book === undefined) this.#book = this.#open()?.cursor.book ?? new OrderBook()
    return this.#book
  }

  /** Applies the records up to a moment, inclusive, at most to the end of the window. */
  advanceTo(timeMs: number, sink: WindowSink = SILENT): void {
    const toMs = Math.min(timeMs, this.#window.toMs)
    this.#advance(sink, ({ day, block }, columns) => {
      if (day.head.blocks[block]!.firstMs > toMs) return 0
      return columns === undefined ? Number.POSITIVE_INFINITY : recordsUpTo(columns, toMs)
    })
  }

  /** Applies the records of a date up to one of them, inclusive, and all before that date. */
  advanceToRecord(date: string, record: number, sink: WindowSink = SILENT): void {
    this.#advance(sink, ({ day, block }) => {
      if (day.key.date !== date) return day.key.date < date ? Number.POSITIVE_INFINITY : 0
      return record + 1 - day.head.blocks[block]!.firstRecord
    })
  }

  /** `countOf` says how many of a block's records are to be applied: asked before it is read, then with its columns. */
  #advance(sink: WindowSink, countOf: (place: Place, columns?: BookColumns) => number): void {
    for (let place = this.#open(); place !== undefined; place = this.#open()) {
      const { day, cursor } = place
      for (; place.block < day.endBlock; place.block++) {
        if (countOf(place) <= 0) return
        if (place.begun === undefined) {
          place.begun = cursor.begin(place.block)
          if (place.begun === undefined) continue
          place.first = firstConcerning(place.begun.columns, day.bookIndex)
          sink.block?.(day, day.head.blocks[place.block]!, place.begun.columns)
        }
        const { columns } = place.begun
        const end = Math.min(countOf(place, columns), columns.recordCount)
        if (end > place.first && this.#book !== cursor.book) {
          place.begun.to(place.first, sink)
          this.#book = cursor.book
          sink.enter?.(cursor.book, day)
        }
        place.begun.to(end, sink)
        if (end < columns.recordCount) return
        place.begun = undefined
      }
      if (day.endBlock < day.head.blocks.length) return
      if (cursor.openQuoteMs >= 0 && this.#days[this.#dayIndex + 1] !== undefined) cursor.finish(sink)
      this.#place = undefined
      this.#dayIndex++
    }
  }

  #open(): Place | undefined {
    const day = this.#days[this.#dayIndex]
    if (this.#place !== undefined || day === undefined) return this.#place
    const parts = { books: () => this.#parts.books(day.key), bytes: this.#parts.bytes.bind(this.#parts, day.key) }
    const id = { id: this.#window.book, index: day.bookIndex }
    const cursor = new BookCursor({ ...day, ...parts }, id, day.firstBlock)
    this.#place = { day, cursor, block: day.firstBlock, begun: undefined, first: 0 }
    this.#book ??= cursor.book
    return this.#place
  }
}

/** The first record that may change the book: a gap may be of the whole market. Infinity without one. */
function firstConcerning({ recordCount, operations, books, shapes }: BookColumns, bookIndex: number): number {
  for (let record = 0; record < recordCount; record++) {
    const { kind } = shapes[operations[record]! >>> 1]!
    if (kind === 'gap' && books[record] === 0) return record
    if (books[record] === bookIndex + 1 && (kind === 'gap' || kind === 'snapshot' || kind === 'delta')) return record
  }
  return Number.POSITIVE_INFINITY
}

/** Times never step back within a day. */
function recordsUpTo({ timesMs, recordCount }: BookColumns, timeMs: number): number {
  let [low, high] = [0, recordCount]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (timesMs[middle]! <= timeMs) low = middle + 1
    else high = middle
  }
  return low
}
