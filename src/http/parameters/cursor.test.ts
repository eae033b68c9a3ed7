// Tests cursors: each opens to its position, and any other text is refused.

import { expect, test } from 'bun:test'
import { type CursorQuery, encodeCursor } from '../../../workers/read/cursor.ts'
import { RequestFailure } from '../server/request-failure.ts'
import { positionOf } from './cursor.ts'

const SECRET = new Uint8Array(32).fill(1)
const QUERY: CursorQuery = { path: '/market/data/range', venue: 'kalshi', market: 'A', book: null, fromMs: 1, toMs: 2 }
const POSITION = { date: '2026-08-10', record: 1234, revision: 3 }
const CURSOR = encodeCursor(SECRET, QUERY, POSITION)

function isRefused(cursor: string, query = QUERY, secret = SECRET): boolean {
  try {
    positionOf(secret, query, cursor)
    return false
  } catch (error) {
    return error instanceof RequestFailure && error.code === 'cursor_invalid'
  }
}

test('a cursor opens to its position', () => expect(positionOf(SECRET, QUERY, CURSOR)).toEqual(POSITION))
test('a cursor needs no encoding in a query', () => expect(CURSOR).toMatch(/^[A-Za-z0-9_-]{40,120}$/))

test('without a cursor there is no position', () => expect(positionOf(SECRET, QUERY, undefined)).toBeNull())

test.each([
  ['endpoint', { path: '/market/trades' }],
  ['venue', { venue: 'polymarket' }],
  ['market', { market: 'B' }],
  ['asset', { book: '1' }],
  ['lower bound', { fromMs: 0 }],
  ['upper bound', { toMs: 3 }],
] as const)('a cursor of another %s is refused', (_, change) =>
  expect(isRefused(CURSOR, { ...QUERY, ...change })).toBe(true),
)

test('a cursor of another store is refused', () => expect(isRefused(CURSOR, QUERY, new Uint8Array(32))).toBe(true))

test('a cursor with any character changed is refused', () => {
  for (let index = 0; index < CURSOR.length; index++) {
    const changed = CURSOR[index] === 'A' ? 'B' : 'A'
    expect(isRefused(CURSOR.slice(0, index) + changed + CURSOR.slice(index + 1))).toBe(true)
  }
})

test.each(['', 'x', '!!!!', CURSOR.slice(0, -1), `${CURSOR}A`, `${CURSOR}=`, `${CURSOR}!`, 'A'.repeat(500)])(
  'an invalid cursor is refused: %#',
  (cursor) => expect(isRefused(cursor)).toBe(true),
)
