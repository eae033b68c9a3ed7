// A cursor opens to its position, for its own query only.

import { expect, test } from 'bun:test'
import { type CursorQuery, decodeCursor, encodeCursor } from './cursor.ts'

const secret = new Uint8Array(32).fill(3)
const query: CursorQuery = { path: 'raw', venue: 'kalshi', market: 'KX', book: null, fromMs: 1, toMs: 9 }
const position = { date: '2026-08-10', record: 1_234, revision: 3 }
const cursor = encodeCursor(secret, query, position)

test('the position comes back', () => expect(decodeCursor(secret, query, cursor)).toEqual(position))

test.each<Partial<CursorQuery>>([
  { path: 'trades' },
  { venue: 'polymarket' },
  { market: 'KY' },
  { book: 'KX' },
  { fromMs: 2 },
  { toMs: 8 },
])('not for %p', (other) => expect(decodeCursor(secret, { ...query, ...other }, cursor)).toBeUndefined())

test('nor with another secret, or changed', () => {
  expect(decodeCursor(new Uint8Array(32), query, cursor)).toBeUndefined()
  expect(decodeCursor(secret, query, `${cursor}A`)).toBeUndefined()
})
