// Tests which part of a market has changed, according to its stream.

import { expect, test } from 'bun:test'
import { Growth } from './growth.ts'

const grown = (...messages: Parameters<Growth['received']>[0][]) => {
  const growth = new Growth(1_000)
  for (const message of messages) growth.received(message)
  return { change: growth.take(), newestMs: growth.newestMs }
}

test('the current quote at the start of a stream is not a change', () => {
  expect(grown({ type: 'begin' }, { type: 'quote', timestamp: 900 })).toEqual({ change: null, newestMs: 1_000 })
})

test('everything from the first new record on has changed, and is taken once', () => {
  const growth = new Growth(1_000)
  for (const timestamp of [1_500, 1_200, 1_700]) growth.received({ type: 'quote', timestamp })
  expect(growth.newestMs).toBe(1_700)
  expect(growth.take()).toEqual({ sinceMs: 1_500, isRewritten: false })
  expect(growth.take()).toBeNull()
  // A trade or a gap before the newest quote is also a change.
  growth.received({ type: 'trade', timestamp: 1_600 })
  expect(growth.take()).toEqual({ sinceMs: 1_600, isRewritten: false })
})

test('a quote at the instant of the newest record counts as new', () => {
  expect(grown({ type: 'quote', timestamp: 1_000 }).change).toEqual({ sinceMs: 1_000, isRewritten: false })
})

test('after a reset everything has changed', () => {
  const messages = [{ type: 'quote', timestamp: 2_000 }, { type: 'reset' }, { type: 'quote', timestamp: 2_100 }]
  expect(grown(...messages)).toEqual({ change: { sinceMs: 0, isRewritten: true }, newestMs: 2_100 })
})
