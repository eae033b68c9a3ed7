// Events of one book of a date, as an export receives them: every record that changes the book, its trades and its
// gaps, in stored order.

import type { OrderBook } from '../book/order-book.ts'

/** The current record. The object is reused, so it is valid only during the call. */
export type PresentRecord = {
  /** Index in the date. Negative for the opening book, and for the book that is shown when the date switches to another
   *  source. */
  record: number
  /** Event time, Unix ms; never earlier than that of the record before. */
  timeMs: number
  /** The venue's own time in µs, at its full precision; NaN if it has none. May step back. */
  venueUs: number
  /** Receipt time by the recorder's clock, Unix ms; NaN if the capture has none. May step back. */
  receivedMs: number
  /** False if the record has the same venue time as the book's previous record: both belong to one quote. */
  opensQuote: boolean
}

/** A trade in 1e-6 dollars and 1e-6 contracts. The object is reused for all trades. */
export type PresentTrade = {
  price: number
  size: number
  /** What the taker did: 0 unknown, 1 bought, 2 sold (`workers/trades/block-trades.ts`). */
  side: number
  /** Returns the venue's id of the trade; null if it has none. */
  id(): string | null
}

/** Receives the events. `book` is the book after the record; its `trust` says on which evidence the book rests. */
export interface BookEvents {
  /** Called with the book that the date opens with. Not called if no earlier date left a book. */
  opening(at: PresentRecord, book: OrderBook): void
  /** Called when the date shows another source from here on. `book` is the book of that source. */
  switched(at: PresentRecord, book: OrderBook): void
  /** Called after a snapshot has replaced the book. */
  snapshot(at: PresentRecord, book: OrderBook): void
  /** Called for each level that the record sets, in the record's order, with the level's key (`levelKey`) and its sizes
   *  in 1e-6 contracts. The two sizes may be equal, and a record may set a level twice. */
  level(at: PresentRecord, key: number, sizeNow: number, sizeBefore: number): void
  /** Called after all levels of the record were sent. No level was sent if the record's price or size is not a number
   *  or out of range. */
  changed(at: PresentRecord, book: OrderBook): void
  /** Called when the book becomes unknown. It stays unknown until its next snapshot, and changes until then are not
   *  sent. `isSwitch`: from here on, the date shows another source, which does not have the book so far. Changes of
   *  that source are sent nevertheless. */
  gap(at: PresentRecord, isSwitch?: boolean): void
  trade(at: PresentRecord, trade: PresentTrade): void
}
