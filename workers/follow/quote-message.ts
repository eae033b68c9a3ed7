// Prints the top of a book as a message.

import { MICROS } from '../../storage/units.ts'
import { NO_PRICE, NO_TOP, type OrderBook, type Top } from '../book/order-book.ts'
import type { ShownTrust } from '../trust/trust-steps.ts'

/** Ids of the book, the index of its last record, and its trust. */
type QuoteFields = { record: number | null; isOpen: boolean; timestamp?: number; trust: ShownTrust } & Record<
  string,
  unknown
>

/** Returns the message of a book's present top. `isOpen`: no stored record shows that the quote is complete.
 *  `timestamp` defaults to the time of the book's last record. */
export function quoteMessage(book: OrderBook, { record, isOpen, timestamp, trust, ...ids }: QuoteFields): object {
  const top: Top = { ...NO_TOP }
  book.readTop(top)
  const { bid, bidSize, ask, askSize } = top
  return {
    type: 'quote',
    timestamp: timestamp ?? book.openQuoteMs,
    ...ids,
    best_bid: bid === NO_PRICE ? null : bid / MICROS,
    best_bid_size: bidSize / MICROS,
    best_ask: ask === NO_PRICE ? null : ask / MICROS,
    best_ask_size: askSize / MICROS,
    trust,
    open: isOpen,
    record,
  }
}
