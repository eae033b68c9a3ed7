// The numbering of subscriptions, against one that holds all numbers it saw.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { SequenceTracker } from '../../../../src/record/kalshi/sequence.ts'

test('numbers go from 1 on, each sid by itself', () => {
  const tracker = new SequenceTracker()
  expect([tracker.accept(1, 1), tracker.accept(2, 1), tracker.accept(1, 2), tracker.accept(2, 2)]).toEqual(
    Array(4).fill('next'),
  )
})

test('a hole is told once, with what was expected', () => {
  const tracker = new SequenceTracker()
  tracker.accept(1, 1)
  expect(tracker.accept(1, 5)).toEqual({ expected: 2, got: 5 })
  expect(tracker.accept(1, 6)).toBe('next')
})

test('a subscription that does not begin at 1 begins with a hole', () => {
  expect(new SequenceTracker().accept(3, 4)).toEqual({ expected: 1, got: 4 })
})

test('what is at or before the last is a duplicate, and moves nothing', () => {
  const tracker = new SequenceTracker()
  for (const seq of [1, 2, 3]) tracker.accept(1, seq)
  expect([tracker.accept(1, 3), tracker.accept(1, 1), tracker.accept(1, 4)]).toEqual(['duplicate', 'duplicate', 'next'])
})

test('a number that is given again after an end begins anew', () => {
  const tracker = new SequenceTracker()
  for (const seq of [1, 2, 3]) tracker.accept(1, seq)
  tracker.forget(1)
  expect([tracker.accept(1, 1), tracker.accept(1, 2)]).toEqual(['next', 'next'])
})

test('any stream with parts left out and parts said twice: every missing number is in just one hole', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('send', 'lose', 'repeat')), (steps) => {
      const tracker = new SequenceTracker()
      const lost: number[] = []
      const told: number[] = []
      let seq = 0
      let last = 0
      for (const step of steps) {
        if (step === 'repeat') {
          if (last > 0) expect(tracker.accept(1, last)).toBe('duplicate')
          continue
        }
        seq++
        if (step === 'lose') {
          lost.push(seq)
          continue
        }
        last = seq
        const verdict = tracker.accept(1, seq)
        if (typeof verdict === 'object') {
          for (let missing = verdict.expected; missing < verdict.got; missing++) told.push(missing)
        } else {
          expect(verdict).toBe('next')
        }
      }
      // What was lost at the very end shows when something follows.
      expect(told).toEqual(lost.filter((missing) => missing < last))
    }),
  )
})
