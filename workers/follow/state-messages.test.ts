// Tests the present state of a market: the start of the stream, and the books there, for each channel.

import { expect, test } from 'bun:test'
import { madeBook } from '../../test/support/books/made-book.ts'
import { NO_MARK } from '../book/book-mark.ts'
import { encodeBooks, UNSEEN_BOOKS } from '../book/book-state.ts'
import { rankOf } from '../trust/trust-steps.ts'
import { SentMessages } from './sent-messages.ts'
import { type Start, writeState } from './state-messages.ts'

const place = (timeMs: number, record: number) => ({ timeMs, record })
const closing = encodeBooks([
  {
    id: 'A',
    book: madeBook([[400_000, 5_000_000]], [[600_000, 7_000_000]]),
    mark: { ...NO_MARK, last: place(20, 4), change: place(15, 2) },
  },
  { id: 'B', book: madeBook([], []), mark: NO_MARK },
  { id: UNSEEN_BOOKS, book: madeBook([], []), mark: { ...NO_MARK, last: place(1, 1) } },
])
const start: Start = { date: '2026-08-10', record: 5, closing, steps: new Map(), reset: null }

function written(
  venue: 'kalshi' | 'polymarket',
  channels: readonly ('records' | 'book' | 'quotes')[],
  of: Partial<Start> = {},
) {
  const messages = new SentMessages({ record: 5, step: 0 })
  writeState({ venue, market: 'KX', channels } as never, { ...start, ...of }, messages)
  const { bytes, records, starts, ends } = messages.finish()
  expect([...records].every((record) => record === 5)).toBe(true)
  return Array.from(starts, (from, i) => JSON.parse(`{${Buffer.from(bytes.subarray(from, ends[i])).toString()}`))
}
const begin = { type: 'begin', date: '2026-08-10', record: 5 }

test('records have the position only, books all levels, quotes the top', () => {
  expect(written('kalshi', ['records'])).toEqual([begin])
  expect(written('polymarket', ['book'])).toEqual([
    begin,
    { type: 'book', timestamp: 20, asset_id: 'A', trust: 'established', bids: [[0.4, 5]], asks: [[0.6, 7]] },
  ])
  expect(written('kalshi', ['quotes'])[1]).toMatchObject({
    type: 'quote',
    timestamp: 15,
    ticker: 'KX',
    record: 2,
    open: false,
    best_bid: 0.4,
  })
})

test('sends the present trust, and the reason for a reset', () => {
  const steps = new Map([['A', [{ fromMs: 99, trust: rankOf('doubtful') }]]])
  const changed = { date: '2026-08-09', record: 3 }
  const [first, book] = written('kalshi', ['book'], { steps, reset: { reason: 'late_records', changed } })
  expect(first).toEqual({ ...begin, type: 'reset', reason: 'late_records', changed })
  expect(book.trust).toBe('doubtful')
})

test('nothing stored: no books', () =>
  expect(written('kalshi', ['book'], { closing: null, date: null })).toEqual([{ ...begin, date: null }]))
