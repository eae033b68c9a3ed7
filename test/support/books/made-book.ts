// A book with given levels, in 1e-6 dollars and 1e-6 contracts.

import { MICROS } from '../../../storage/units.ts'
import { ASK, BID } from '../../../workers/book/ladder.ts'
import { OrderBook } from '../../../workers/book/order-book.ts'

type Levels = readonly (readonly [price: number, size: number])[]

/** Returns a book that a snapshot established. */
export function madeBook(bids: Levels, asks: Levels): OrderBook {
  const book = new OrderBook()
  book.reset('snapshot')
  for (const [price, size] of bids) book.setLevel(BID, price, size)
  for (const [price, size] of asks) book.setLevel(ASK, MICROS - price, size)
  return book
}

/** Returns a book that was never established. */
export function observedBook(bids: Levels, asks: Levels): OrderBook {
  const book = madeBook(bids, asks)
  book.trust = 'observed'
  return book
}
