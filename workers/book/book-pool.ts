// Reuses books: a ladder is 170 KB of zeros, and a load of many small markets would otherwise allocate a ladder for
// each market.

import { OrderBook } from './order-book.ts'

const POOLED_MAX = 64
const pooled: OrderBook[] = []

/** Returns an empty book without a snapshot. */
export function takeBook(): OrderBook {
  return pooled.pop() ?? new OrderBook()
}

/** Returns a book to the pool; it must not be used afterwards. */
export function releaseBook(book: OrderBook): void {
  if (pooled.length >= POOLED_MAX) return
  book.reset()
  book.openQuoteMs = -1
  pooled.push(book)
}
