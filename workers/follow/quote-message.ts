// The top of a book as a message.

import { MICROS } from '../../storage/units.ts'
import { NO_PRICE, NO_TOP, type OrderBook, type Top } from '../book/order-book.ts'
import type { ShownTrust } from '../trust/trust-steps.ts'

/** Ids of the book, the place of its last record, and how far it can be believed. */
type Told = { record: number | null; isOpen: boolean; timestamp?: number; trust: ShownTrust } & Record<string, unknown>

/** As the book stands. `isOpen`: nothing that is stored says that the quote is complete. The time is that of its last
 *  record unless given. */
export function quoteMessage(book: OrderBook, { record, isOpen, timestamp, trust, ...ids }: Told): object {
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
