// What an export is told of one book of a date: every record that changes the book, its trades and its gaps, in the
// order in which they are stored.

import type { OrderBook } from '../book/order-book.ts'

/** The record that is told of. One object for all of them: it is good until the call returns. */
export type PresentRecord = {
  /** Its place in the date; below 0 for the book that the date begins with, and for each that another source shows. */
  record: number
  /** Event time: never earlier than that of the record before. */
  timeMs: number
  /** The venue's own time, as fine as it says it; NaN where it says none. It may be earlier than before. */
  venueUs: number
  /** The recorder's clock, NaN where the capture has none. It may be earlier than before. */
  receivedMs: number
  /** False where the record has the venue time of the book's record before: both are of one quote. */
  opensQuote: boolean
}

/** In 1e-6 dollars and 1e-6 contracts. One object for all trades. */
export type PresentTrade = {
  price: number
  size: number
  /** What the taker did: 0 not said, 1 bought, 2 sold (`workers/trades/block-trades.ts`). */
  side: number
  /** What the venue calls it. */
  id(): string | null
}

/** `book` is as the record leaves it; its `trust` says how it is known. */
export interface BookEvents {
  /** The book that the date begins with, where an earlier date left any. */
  opening(at: PresentRecord, book: OrderBook): void
  /** Another source is shown from here on, and has this book. */
  switched(at: PresentRecord, book: OrderBook): void
  /** A snapshot has replaced the book. */
  snapshot(at: PresentRecord, book: OrderBook): void
  /** A level that the record sets, in its order: its key (`levelKey`), and the sizes there in 1e-6 contracts. They may be
   *  equal, and a record may set a level twice. */
  level(at: PresentRecord, key: number, sizeNow: number, sizeBefore: number): void
  /** The record's levels were told: none, where its price or size is no number or out of range. */
  changed(at: PresentRecord, book: OrderBook): void
  /** The book is unknown from here to the next snapshot: changes until then are not told. */
  gap(at: PresentRecord): void
  trade(at: PresentRecord, trade: PresentTrade): void
}
