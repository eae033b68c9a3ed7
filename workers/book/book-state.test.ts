// The books of a state come back as they were, with what the writer needs to continue.

import { expect, test } from 'bun:test'
import { bookOf, decodeBooks, decodeState, encodeBooks, UNSEEN_BOOKS } from './book-state.ts'
import { ASK, BID } from './ladder.ts'
import { OrderBook } from './order-book.ts'

function named(id: string) {
  const book = new OrderBook()
  book.reset('snapshot')
  Object.assign(book, { openQuoteMs: 17, venueBid: 400_000, venueAsk: Number.NaN })
  book.setLevel(BID, 400_000, 5)
  book.setLevel(BID, 399_999, 2 ** 40)
  book.setLevel(ASK, 300_000, 1)
  const place = { timeMs: 9, record: 3 }
  return { id, book, mark: { last: place, change: place, trade: null, tickSize: { timeMs: 1, micros: 10_000 } } }
}

test('books, marks and progress', () => {
  const state = decodeState(
    encodeBooks([named('A'), { ...named('B'), book: new OrderBook() }], { date: '2026-08-10', n: [1] }),
  )
  expect(state.progress).toEqual({ date: '2026-08-10', n: [1] })
  const [a, b] = state.books
  const levels = ({ book }: { book: OrderBook }) => [book.levels(BID), book.levels(ASK)]
  expect(levels(a!)).toEqual(levels(named('A')))
  expect([a!.book.trust, a!.book.openQuoteMs, a!.book.venueBid, a!.book.venueAsk]).toEqual([
    ...(['established', 17, 400_000] as const),
    Number.NaN,
  ])
  expect(a!.mark).toEqual(named('A').mark)
  expect([levels(b!), b!.book.trust]).toEqual([[[], []], new OrderBook().trust])
})

test('a book without records has the entry of the unseen ones', () => {
  const books = decodeBooks(encodeBooks([named('A'), named(UNSEEN_BOOKS)]))
  expect(bookOf(books, 'A')!.id).toBe('A')
  expect(bookOf(books, 'C')!.id).toBe(UNSEEN_BOOKS)
  expect(bookOf(books.slice(0, 1), 'C')).toBeUndefined()
})

test('damage is found', () => {
  const bytes = encodeBooks([named('A')])
  bytes[bytes.length - 1]! ^= 1
  expect(() => decodeState(bytes)).toThrow('it does not match its checksum')
})
