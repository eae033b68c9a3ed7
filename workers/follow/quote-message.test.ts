// Tests the top of a book as a message, in dollars and contracts.

import { expect, test } from 'bun:test'
import { madeBook } from '../../test/support/books/made-book.ts'
import { quoteMessage } from './quote-message.ts'

test('both sides, and an empty one', () => {
  const book = madeBook([[480_000, 1_500_000]], [])
  book.openQuoteMs = 17
  const fields = { record: 3, isOpen: true, trust: 'doubtful', ticker: 'KX' } as const
  expect(quoteMessage(book, fields)).toEqual({
    ...{ type: 'quote', timestamp: 17, ticker: 'KX', best_bid: 0.48, best_bid_size: 1.5, best_ask: null },
    ...{ best_ask_size: 0, trust: 'doubtful', open: true, record: 3 },
  })
  const both = madeBook([[1, 1]], [[600_000, 2_000_000]])
  expect(quoteMessage(both, { ...fields, timestamp: 5 })).toMatchObject({
    timestamp: 5,
    best_bid: 0.000001,
    best_ask: 0.6,
    best_ask_size: 2,
  })
})
