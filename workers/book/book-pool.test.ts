// A book from the pool is empty, whatever it held.

import { expect, test } from 'bun:test'
import { releaseBook, takeBook } from './book-pool.ts'
import { ASK, BID } from './ladder.ts'
import { OrderBook } from './order-book.ts'

test('a released book comes again as a new one', () => {
  const book = takeBook()
  book.reset('snapshot')
  book.setLevel(BID, 400_000, 5)
  book.setLevel(ASK, 400_001, 5)
  book.openQuoteMs = 17
  book.venueBid = 3
  releaseBook(book)
  const again = takeBook()
  expect(again).toBe(book)
  const fresh = new OrderBook()
  expect([again.trust, again.openQuoteMs, again.venueBid]).toEqual([fresh.trust, -1, Number.NaN])
  expect([...again.levels(BID), ...again.levels(ASK)]).toEqual([])
})

test('the pool has at most 64 books', () => {
  const books = Array.from({ length: 70 }, () => takeBook())
  for (const book of books) releaseBook(book)
  const again = new Set(Array.from({ length: 70 }, () => takeBook()))
  expect(books.filter((book) => again.has(book))).toHaveLength(64)
})
