// Holes count only if a subscription's numbers rarely jump.

import { expect, test } from 'bun:test'
import { SequenceHoles } from './sequence-holes.ts'

function noted(seqs: number[]): SequenceHoles {
  const holes = new SequenceHoles()
  for (const [i, seq] of seqs.entries()) holes.note(7, seq, 10 + i, 1_000 + i)
  return holes
}
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

test('a hole is before the message that follows it', () => {
  const holes = noted([...upTo(200), 205, 206, 300])
  expect([holes.messageOf(7, 1), holes.timeMs(7, 1), holes.messageOf(7, 2), holes.messageOf(7, 3)]).toEqual([
    210,
    1_200,
    212,
    undefined,
  ])
  expect([209, 210, 211, 212].map((message) => holes.countUpTo(7, message))).toEqual([0, 1, 1, 2])
  expect([holes.countUpTo(8, 1_000), holes.timeMs(8, 1)]).toEqual([0, Number.NaN])
})

test('numbers that step back are a jump, not a hole', () => {
  const holes = noted([...upTo(100), 5, 6])
  expect(holes.messageOf(7, 1)).toBeUndefined()
  expect(holes.isSound(7)).toBe(true)
})

test('a jump in a hundred steps is sound, more are not', () => {
  expect(noted([...upTo(100), 150]).isSound(7)).toBe(true)
  expect(noted([...upTo(99), 150]).isSound(7)).toBe(false)
  expect(new SequenceHoles().isSound(1)).toBe(true)
})

test('too many jumps give no holes', () => {
  const holes = noted(Array.from({ length: 4_200 }, (_, i) => 2 * i))
  expect([holes.isSound(7), holes.countUpTo(7, 10_000)]).toEqual([false, 0])
})
