// Tests the books of a source at a switch to it, and the trust of each.

import { expect, test } from 'bun:test'
import { NO_MARK } from '../book/book-mark.ts'
import { encodeBooks } from '../book/book-state.ts'
import { OrderBook } from '../book/order-book.ts'
import { shownBooks, trustOf } from './shown-books.ts'

function named(id: string, how: 'snapshot' | 'gap' | undefined, isSeen = true) {
  const book = new OrderBook()
  if (how !== undefined) book.reset(how)
  return { id, book, mark: isSeen ? { ...NO_MARK, last: { timeMs: 1, record: 0 } } : NO_MARK }
}

const state = encodeBooks(
  [named('A', 'snapshot'), named('B', 'snapshot'), named('C', 'gap'), named('D', 'snapshot', false)],
  {
    entries: [
      {
        id: 'A',
        trust: [
          [0, 'doubtful'],
          [5, 'established'],
        ],
      },
      {
        id: 'B',
        trust: [
          [0, 'established'],
          [5, 'doubtful'],
        ],
      },
      { id: 'C', trust: [[5, 'doubtful']] },
    ],
  },
)

test('returns only books with a record, doubtful if their last note says so', () => {
  const books = shownBooks(state)
  expect(books.map(({ id, isDoubtful }) => [id, isDoubtful])).toEqual([
    ['A', false],
    ['B', true],
    ['C', true],
  ])
  expect(books.map(trustOf)).toEqual(['established', 'doubtful', 'lost'])
})

test('a book that the source does not have is unknown', () => expect(trustOf(undefined)).toBe('unknown'))
