// Cursors: a cursor decodes to its position for the query that it was made for. Any other text is refused.

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type CursorQuery, decodeCursor, encodeCursor } from '../../../workers/read/cursor.ts'
import { property } from '../property.ts'

const secret = fc.uint8Array({ minLength: 32, maxLength: 32 })
const query: fc.Arbitrary<CursorQuery> = fc.record(
  {
    path: fc.constantFrom('/market/data/range', '/market/trades'),
    venue: fc.constantFrom('polymarket', 'kalshi'),
    market: fc.string({ unit: 'binary' }),
    book: fc.option(fc.string({ unit: 'binary' })),
    fromMs: fc.maxSafeNat(),
    toMs: fc.maxSafeNat(),
  },
  { noNullPrototype: true },
)
const position = fc.record(
  { date: fc.stringMatching(/^\d{4}-\d\d-\d\d$/), record: fc.maxSafeNat(), revision: fc.maxSafeNat() },
  { noNullPrototype: true },
)

const refused = (decode: () => unknown) => assert.equal(decode(), undefined)

export const cursorProperties = [
  property('a cursor gives its position back', 300, [secret, query, position], (key, from, place) => {
    assert.deepEqual(decodeCursor(key, from, encodeCursor(key, from, place)), place)
  }),
  property(
    'a cursor with other characters in it is refused',
    500,
    [secret, query, position, fc.nat(), fc.nat(12), fc.string({ maxLength: 12 })],
    (key, from, place, at, removed, added) => {
      const cursor = encodeCursor(key, from, place)
      const start = at % (cursor.length + 1)
      const changed = cursor.slice(0, start) + added + cursor.slice(start + removed)
      if (changed !== cursor) refused(() => decodeCursor(key, from, changed))
    },
  ),
  property('a text that is no cursor is refused', 1_000, [secret, query, fc.base64String()], (key, from, text) => {
    refused(() => decodeCursor(key, from, text))
  }),
  property('a cursor of another query is refused', 500, [secret, query, query, position], (key, from, other, place) => {
    if (JSON.stringify(from) === JSON.stringify(other)) return
    refused(() => decodeCursor(key, other, encodeCursor(key, from, place)))
  }),
]
