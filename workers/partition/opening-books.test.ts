// A day opens with the closing books of the day before that no snapshot of its own replaces.

import { expect, test } from 'bun:test'
import { NO_MARK } from '../book/book-mark.ts'
import { decodeBooks, type NamedBook } from '../book/book-state.ts'
import { BID } from '../book/ladder.ts'
import { OrderBook } from '../book/order-book.ts'
import { carriedEntry, carriedInto, newEntry, openingBooks } from './opening-books.ts'

function named(id: string, how?: 'snapshot' | 'gap'): NamedBook {
  const book = new OrderBook()
  if (how !== undefined) book.reset(how)
  book.setLevel(BID, 400_000, 5)
  book.openQuoteMs = 17
  return { id, book, mark: { ...NO_MARK, change: { timeMs: 1, record: 2 } } }
}

test('books that the day begins with a snapshot are left out, and no quote is open', () => {
  const entry = (id: string, startsFrom: 'snapshot' | 'neither') => ({ id, startsFrom })
  const opening = openingBooks([named('A'), named('B'), named('C')], [entry('A', 'snapshot'), entry('B', 'neither')])
  const books = decodeBooks(opening!)
  expect(books.map(({ id, book }) => [id, book.openQuoteMs, book.levels(BID)])).toEqual([
    ['B', -1, [[400_000, 5]]],
    ['C', -1, [[400_000, 5]]],
  ] as never)
  expect(openingBooks([named('A')], [entry('A', 'snapshot')])).toBeNull()
})

test('carried books count until a day between is stored', () => {
  const carried = { date: '2026-08-09' } as never
  const into = (dateBefore: string | undefined) => carriedInto({ opening: null, closing: null, carried }, dateBefore)
  expect([into(undefined), into('2026-08-08')]).toEqual([carried, carried])
  expect([into('2026-08-09'), into('2026-08-10'), carriedInto(undefined, undefined)]).toEqual([
    ...[undefined, undefined, undefined],
  ])
})

test('the entry of a book that an earlier day closed with', () => {
  const top = { bid: 400_000, bidSize: 5, ask: -1, askSize: 0 }
  expect(carriedEntry(named('A', 'snapshot'), false)).toEqual({
    ...newEntry('A'),
    opening: top,
    startsFrom: 'opening_book',
  })
  expect(carriedEntry(named('A', 'snapshot'), true).trust).toEqual([[0, 'doubtful']])
  expect(carriedEntry(named('A', 'gap'), false)).toMatchObject({ startsFrom: 'neither', trust: [[0, 'lost']] })
  expect(carriedEntry({ ...named('A', 'gap'), mark: NO_MARK }, false)).not.toHaveProperty('trust')
})
