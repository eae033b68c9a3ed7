// Damage is reported once, with its market and day. Clients see no more details.

import { expect, test } from 'bun:test'
import { damageOf, PartGone, readingOf } from './damage.ts'
import { DataError } from './failures.ts'

const KEY = { venue: 'kalshi', market: 'KXA', date: '2026-08-10' } as const
const SENTENCE = 'Stored data of the kalshi market KXA on 2026-08-10 is damaged'

const caught = (read: () => unknown): unknown => {
  try {
    return read()
  } catch (error) {
    return error
  }
}
const corrupt = () => {
  throw new DataError('block_corrupt', 'it ends early')
}

test('the place is added to damage', () => {
  const error = caught(() => readingOf(KEY, 'block 3', corrupt)) as DataError
  expect([error.code, error.message, error.forClients]).toEqual([
    'block_corrupt',
    `${SENTENCE} (block 3): it ends early`,
    SENTENCE,
  ])
})

test('the place is added once, and only to damage', () => {
  const twice = caught(() => readingOf(KEY, 'head', () => readingOf(KEY, 'block 3', corrupt))) as DataError
  expect(twice.message).toBe(`${SENTENCE} (block 3): it ends early`)
  const other = new DataError('overloaded', 'busy')
  expect(
    caught(() =>
      readingOf(KEY, 'head', () => {
        throw other
      }),
    ),
  ).toBe(other)
  expect(readingOf(KEY, 'head', () => 5)).toBe(5)
})

test('damage of a slug, and of a missing part', () => {
  expect(damageOf('answer', 'it ends early').message).toBe('The stored answer is damaged: it ends early')
  const gone = new PartGone(KEY, 'block 3')
  expect([gone.message, gone.key]).toEqual([`${SENTENCE} (block 3): it is missing from the store`, KEY])
})
