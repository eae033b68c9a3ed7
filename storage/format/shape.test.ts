// Tests what the records of a shape do to a book, which side their taker took, and which values may be stored as a
// difference from the event time.

import { expect, test } from 'bun:test'
import { effectOf, followsTime, type Shape, SOURCE_NAME, takerSide } from './shape.ts'

const SHAPE: Shape = {
  ...{ kind: 'delta', envelopeType: null, parts: [], listCount: 1 },
  slots: [-1, -1, -1, -1, -1, 0].map((list) => ({ list, isQuoted: true })),
  ...{ hasReceivedMs: true, hasSid: false, hasSeq: false, timeSlot: 4 },
  changes: {
    ...{ list: -1, price: { slot: 0, mayBeCents: false }, size: { slot: 1, mayBeCents: false }, side: 2 },
    isSigned: false,
  },
  ...{ levels: [], best: { bid: { slot: 3, mayBeCents: false }, ask: { slot: 3, mayBeCents: false } }, trade: null },
}

test('a covered gap and a record set aside change no book', () => {
  expect(effectOf(SHAPE)).toBe('delta')
  expect(effectOf({ ...SHAPE, kind: 'gap', isCovered: true })).toBe('other')
  expect(effectOf({ ...SHAPE, isAside: true })).toBe('other')
})

test.each([
  ['action', 'BUY', 'buy'],
  ['outcome', 'no', 'sell'],
  ['book_side', 'ask', 'sell'],
  ['action', 'yes', null],
  ['action', 'toString', null],
] as const)('the %s %s is %p', (meaning, word, side) => {
  expect(takerSide(meaning, word)).toBe(side)
})

test('only values that are never read without the event time may follow it', () => {
  expect([0, 1, 2, 3, 4, 5].map((slot) => followsTime(SHAPE, slot))).toEqual([false, false, false, false, true, false])
})

test('the name of an archive', () => {
  expect(['ag', 'pmxt-v2', 'a'.repeat(64), 'owner'].every((name) => SOURCE_NAME.test(name))).toBe(true)
  expect(['own', '', 'A', '-a', 'a b', 'a'.repeat(65)].some((name) => SOURCE_NAME.test(name))).toBe(false)
})
