// Tests how requests and caches name a book.

import { expect, test } from 'bun:test'
import { bookQuery, bookText, isSince, marketPath, marketQuery } from './book-query.ts'

const KALSHI = { venue: 'kalshi', market: 'KX', asset: 'no' } as const
const POLYMARKET = { venue: 'polymarket', market: '0x1', asset: '11' } as const

test('both sides of a Kalshi market are one book, a Polymarket book is its token', () => {
  expect([bookQuery(KALSHI), marketQuery(KALSHI)]).toEqual([{ ticker: 'KX' }, { ticker: 'KX' }])
  expect(bookQuery(POLYMARKET)).toEqual({ condition_id: '0x1', asset_id: '11' })
  expect([marketQuery(POLYMARKET), bookQuery({ ...POLYMARKET, asset: null })]).toEqual([
    ...[{ condition_id: '0x1' }, { condition_id: '0x1' }],
  ])
  expect(marketPath(KALSHI, 'book/changes')).toBe('/kalshi/market/book/changes')
  expect([bookText(KALSHI), bookText({ ...KALSHI, asset: null })]).toEqual(['kalshi KX no', 'kalshi KX '])
})

test('isSince is true for a name with the date of the instant or a later date', () => {
  const noon = Date.parse('2026-08-10T12:00:00Z')
  const names = ['a 2026-08-09', 'a 2026-08-10 x', 'a 2026-08-11', 'b 2026-08-11']
  expect(names.map((name) => isSince(name, 'a ', noon))).toEqual([false, true, true, false])
})
