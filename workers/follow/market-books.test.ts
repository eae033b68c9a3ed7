// Tests all books of a market by id while its blocks are replayed, also books that a gap ended before they were seen.

import { expect, test } from 'bun:test'
import { madeBook } from '../../test/support/books/made-book.ts'
import { NO_MARK } from '../book/book-mark.ts'
import { encodeBooks, UNSEEN_BOOKS } from '../book/book-state.ts'
import { BID } from '../book/ladder.ts'
import { OrderBook } from '../book/order-book.ts'
import { MarketBooks } from './market-books.ts'

function named(id: string, price: number, isSeen = true) {
  const book = madeBook([[price, 5]], [])
  book.openQuoteMs = 17
  return { id, book, mark: isSeen ? { ...NO_MARK, last: { timeMs: 1, record: 0 } } : NO_MARK }
}
const valuesOf = (book: OrderBook | undefined) => [book?.trust, book?.openQuoteMs, book?.levels(BID)[0]?.[0]]
const state = encodeBooks([named('A', 400_000), named('B', 300_000)])

test('books by number, new ones without anything', () => {
  const books = new MarketBooks(state, { isDayStart: false })
  const [market, b, c] = books.numbered(['B', 'C'])
  expect(market).toBeUndefined()
  expect(valuesOf(b)).toEqual(['established', 17, 300_000])
  expect(valuesOf(c)).toEqual([new OrderBook().trust, -1, undefined])
  expect(books.numbered(['B'])[1]).toBe(b!)
  expect([...books.entries()].map(([id]) => id)).toEqual(['A', 'B', 'C'])
})

test('at the start of a day no quote is open', () => {
  const books = new MarketBooks(state, { isDayStart: true })
  expect(valuesOf(books.numbered(['A'])[1])).toEqual(['established', -1, 400_000])
})

test('a gap of the market loses the others, and books without a record yet', () => {
  const books = new MarketBooks(state, { isDayStart: false })
  books.loseAllBut(['B'])
  const [, a, b, c] = books.numbered(['A', 'B', 'C'])
  expect([a!.trust, a!.openQuoteMs, b!.trust, c!.trust]).toEqual(['lost', -1, 'established', 'lost'])
  const unseen = new MarketBooks(encodeBooks([named(UNSEEN_BOOKS, 1)]), { isDayStart: false })
  expect([unseen.numbered(['C'])[1]!.trust, [...unseen.entries()].length]).toEqual(['lost', 1])
})

test('a switch replaces the books, and reports those that are known before or after', () => {
  const books = new MarketBooks(encodeBooks([named('A', 400_000)]), { isDayStart: false })
  const switched: unknown[] = []
  const other = encodeBooks([named('A', 410_000), named('B', 300_000), named('C', 1, false)])
  books.switchTo(other, (id, before, after) => {
    switched.push([id, before.levels(BID)[0]?.[0], after.levels(BID)[0]?.[0]])
  })
  expect(switched).toEqual([
    ['A', 400_000, 410_000],
    ['B', undefined, 300_000],
  ])
  expect([...books.entries()].map(([id, book]) => [id, book.levels(BID)[0]?.[0]])).toEqual([
    ['A', 410_000],
    ['B', 300_000],
  ])
})
