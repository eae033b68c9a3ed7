// Tests the keys that place a record, and which of two records of one ms is earlier.

import { expect, test } from 'bun:test'
import { emptySequence, isEarlierWithinMs, reorder, unitKeys } from './record-sequence.ts'

const NONE = Number.NaN

test('an empty sequence has no venue time and no numbers', () => {
  const { count, fullUs, sids, seqs } = emptySequence(2)
  expect([count, [...fullUs], [...sids], [...seqs]]).toEqual([2, [NONE, NONE], [-1, -1], [-1, -1]])
})

test('every column is put in another order', () => {
  const sequence = emptySequence(3)
  const columns = Object.entries(sequence).filter(([, column]) => typeof column === 'object')
  for (const [, column] of columns) {
    for (let i = 0; i < 3; i++)
      (column as unknown as unknown[])[i] = column instanceof BigUint64Array ? BigInt(i + 1) : i + 1
  }
  const turned = reorder(sequence, Int32Array.of(2, 0))
  expect(turned.count).toBe(2)
  for (const [name] of columns) {
    expect(Array.from(turned[name as 'seqs'] as ArrayLike<unknown>, Number)).toEqual([3, 1])
  }
})

test('a snapshot that stays before the next record has the keys of that record, also across several snapshots', () => {
  const sequence = emptySequence(4)
  sequence.fullUs.set([1, 2, 3, 4])
  sequence.sids.set([1, 1, 2, 2])
  sequence.seqs.set([7, 8, 9, 10])
  sequence.isGlued.set([1, 1, 0, 1])
  const { fullUs, sids, seqs } = unitKeys(sequence)
  expect([[...fullUs], [...sids], [...seqs]]).toEqual([
    [3, 3, 3, 4],
    [2, 2, 2, 2],
    [9, 9, 9, 10],
  ])
  expect([...sequence.fullUs]).toEqual([1, 2, 3, 4])
})

test.each([
  ['a finer time', [5, 1, 9], [6, 1, 2], true],
  ['a later finer time', [6, 1, 1], [5, 1, 2], false],
  ['the same time, a lesser number', [5, 1, 1], [5, 1, 2], true],
  ['no time of one, a lesser number', [NONE, 1, 1], [5, 1, 2], true],
  ['an equal number', [NONE, 1, 2], [NONE, 1, 2], false],
  ['another subscription', [NONE, 1, 1], [NONE, 2, 2], false],
  ['no subscription', [NONE, -1, 1], [NONE, -1, 2], false],
  ['no number', [NONE, 1, -1], [NONE, 1, 2], false],
])('%s: %p before %p is %p', (_, one, other, expected) => {
  const sequence = emptySequence(2)
  for (const [i, [us, sid, seq]] of [one, other].entries()) {
    sequence.fullUs[i] = us!
    sequence.sids[i] = sid!
    sequence.seqs[i] = seq!
  }
  expect(isEarlierWithinMs(sequence, 0, sequence, 1)).toBe(expected)
})
