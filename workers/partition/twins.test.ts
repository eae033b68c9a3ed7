// Tests which records of a capture are already stored: equal ones pair first with first, and not across a gap.

import { expect, test } from 'bun:test'
import {
  emptySequence,
  GAP_MARK,
  type RecordSequence,
  SNAPSHOT_MARK,
  TIMED_MARK,
  TRADE_MARK,
} from './record-sequence.ts'
import { findTwins, moveSnapshots, withoutRepeatedTrades } from './twins.ts'

/** Makes records of book 1; a letter is a record's identity. `S` and `s` are snapshots, `G` gaps, `T` trades; `V` has a
 *  time. */
function sequenceOf(letters: string): RecordSequence {
  const sequence = emptySequence(letters.length)
  const marks: Record<string, number> = {
    S: SNAPSHOT_MARK,
    s: SNAPSHOT_MARK,
    G: GAP_MARK,
    T: TRADE_MARK,
    V: TIMED_MARK,
  }
  for (const [i, letter] of [...letters].entries()) {
    sequence.timesMs[i] = i
    sequence.marks[i] = marks[letter] ?? 0
    sequence.books[i] = 1
    sequence.hashes[i] = BigInt(letter.charCodeAt(0))
    sequence.checks[i] = 7n
  }
  return sequence
}

const twinsOf = (
  stored: string,
  incoming: string,
  ...of: [isPart?: boolean, preferred?: () => boolean, isOfTwo?: boolean]
) => {
  const [isPart = false, ...others] = of
  return [...findTwins(sequenceOf(stored), sequenceOf(incoming), isPart, ...others).twins]
}

test('equal records pair first with first, surplus ones are new', () => {
  expect(twinsOf('', 'ab')).toEqual([-1, -1])
  expect(twinsOf('aba', 'ba')).toEqual([1, 0])
  expect(twinsOf('aba', 'aaac')).toEqual([0, 2, -1, -1])
  expect(twinsOf('aba', 'aaa', true)).toEqual([0, 2, 2])
})

test('snapshots of one time pair before others, unless a gap is between', () => {
  const at = (letters: string, timesMs: number[]) => ({
    ...sequenceOf(letters),
    timesMs: Float64Array.from(timesMs),
  })
  const [stored, incoming] = [at('SSS', [1, 5, 7]), at('SSSSS', [1, 1, 5, 7, 9])]
  expect([...findTwins(stored, incoming, false).twins]).toEqual([0, -1, 1, 2, -1])
  expect([...findTwins(at('SSS', [1, 5, 7]), at('SSS', [2, 5, 8]), false).twins]).toEqual([0, 1, 2])
  expect([...findTwins(at('SGS', [1, 1, 7]), at('GS', [1, 1]), false).twins]).toEqual([1, 2])
})

test('both hashes must be equal', () => {
  const [stored, incoming] = [sequenceOf('a'), sequenceOf('a')]
  incoming.checks[0] = 8n
  expect([...findTwins(stored, incoming, false).twins]).toEqual([-1])
})

test('after a gap, no record from before it is a twin, except trades', () => {
  expect(twinsOf('abG', 'Gab')).toEqual([2, -1, -1])
  expect(twinsOf('SaGS', 'GSa')).toEqual([2, 3, -1])
  expect(twinsOf('SaG', 'GS')).toEqual([2, -1])
  expect(twinsOf('TG', 'GT')).toEqual([1, 0])
  expect(twinsOf('VG', 'GV')).toEqual([1, -1])
  expect(twinsOf('VG', 'GV', false, undefined, true)).toEqual([1, 0])
})

test('after a gap that is not stored, a snapshot is new', () => {
  expect(twinsOf('aaaaS', 'GS')).toEqual([-1, -1])
  expect(twinsOf('aaaaS', 'GSS')).toEqual([-1, -1, 4])
  expect(twinsOf('aaaab', 'Gb')).toEqual([-1, 4])
})

test('a trade in a preferred form replaces the stored one', () => {
  const { twins, isReplaced } = findTwins(sequenceOf('aT'), sequenceOf('T'), false, () => true)
  expect([[...twins], [...isReplaced]]).toEqual([[-1], [0, 1]])
})

test('a snapshot without a time moves to its earlier place, or before the record that it precedes', () => {
  const [stored, incoming] = [sequenceOf('xsy'), sequenceOf('sy')]
  for (const sequence of [stored, incoming]) sequence.timesMs.fill(5)
  incoming.isUntimed[0] = 1
  incoming.isGlued[0] = 1
  const at = (twins: number[]) => moveSnapshots(stored, incoming, Int32Array.from(twins))
  const lists = ({ twins, movedFrom, isGlued }: ReturnType<typeof at>) => [[...twins], [...movedFrom], [...isGlued]]
  expect(lists(at([1, 2]))).toEqual([
    [1, 2],
    [-1, -1],
    [1, 0],
  ])
  expect(lists(at([1, -1]))).toEqual([
    [-1, -1],
    [1, -1],
    [1, 0],
  ])
  stored.timesMs[1] = 6
  expect(lists(at([1, -1]))).toEqual([
    [-1, -1],
    [1, -1],
    [1, 0],
  ])
  incoming.isUntimed[0] = 0
  expect(lists(at([1, -1]))).toEqual([
    [1, -1],
    [-1, -1],
    [1, 0],
  ])
})

test('one trade of each id stays: the first to which no other is preferred', () => {
  const sequence = sequenceOf('aTaT')
  const order = Int32Array.of(3, 0, 1, 2)
  expect([...withoutRepeatedTrades(order, sequence, () => false)]).toEqual([3, 0, 2])
  expect([...withoutRepeatedTrades(order, sequence, (one, other) => one < other)]).toEqual([0, 1, 2])
})
