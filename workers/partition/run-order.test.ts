// Runs of a capture are merged by event time; records of one ms keep their order unless a finer key says otherwise.

import { expect, test } from 'bun:test'
import { Random } from '../synthetic/random.ts'
import { emptySequence } from './record-sequence.ts'
import { timeOrder } from './run-order.ts'

const sequenceOf = (times: number[]) => {
  const sequence = emptySequence(times.length)
  sequence.timesMs.set(times)
  return sequence
}

test.each([1, 2, 3])('without finer keys it is a stable sort, seed %d', (seed) => {
  const random = new Random(seed, 'runs')
  for (const count of [0, 1, 2, 9, 60]) {
    const times = Array.from({ length: count }, () => random.below(12))
    const expected = times.map((_, i) => i).sort((a, b) => times[a]! - times[b]! || a - b)
    expect([...timeOrder(sequenceOf(times))]).toEqual(expected)
  }
})

test('a later run is first within a ms if its number is smaller', () => {
  const sequence = sequenceOf([5, 9, 5, 7])
  sequence.sids.fill(1)
  sequence.seqs.set([4, 6, 3, 5])
  expect([...timeOrder(sequence)]).toEqual([2, 0, 3, 1])
  sequence.seqs.set([4, 6, 5, 5])
  expect([...timeOrder(sequence)]).toEqual([0, 2, 3, 1])
})
