// Tests whether a part of a capture comes after all stored records, and what it passes to the next part.

import { expect, test } from 'bun:test'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import { bytesOf, type CollectedPartition, holesOf, isBehind, isReady, plannedPart } from './collected-partition.ts'

const stored = {
  lastMs: 100,
  nextId: 7,
  recordCount: 5,
  edits: [],
  sequenceHoles: [{ fromMs: 3 }],
} as unknown as PartitionHead
const collected = (of: Partial<CollectedPartition>) =>
  ({
    ...{ isSorted: true, mayRepeat: false, startsMs: 120, earliestTwinMs: 101, ongoing: null, blocks: [] },
    ...{ recordCount: 3, sequenceHoles: [], ...of },
  }) as CollectedPartition
const part = (nextId: number, foreignMs: number) => ({ follows: { nextId, foreignMs }, planned: null })

test.each<[string, PartitionHead | undefined, Partial<CollectedPartition>, boolean]>([
  ['nothing is stored', undefined, {}, true],
  ['no twin can be stored', stored, {}, true],
  ['a twin may be stored', stored, { earliestTwinMs: 100 }, false],
  ['times step back', undefined, { isSorted: false }, false],
  ['a trade may come twice', undefined, { mayRepeat: true }, false],
  ['a part follows its part before', stored, { earliestTwinMs: 60, startsMs: 100, ongoing: part(7, 50) }, true],
  ['others may have a twin', stored, { earliestTwinMs: 50, startsMs: 100, ongoing: part(7, 50) }, false],
  ['it starts before the last record', stored, { earliestTwinMs: 60, startsMs: 99, ongoing: part(7, 50) }, false],
  ['another change came between', stored, { earliestTwinMs: 60, startsMs: 100, ongoing: part(6, 50) }, false],
])('%s', (_, head, of, expected) => expect(isBehind(head, collected(of))).toBe(expected))

test('merges the holes of both, ascending, each once; keeps the stored list if none is new', () => {
  const holes = (...times: number[]) => times.map((fromMs) => ({ fromMs }))
  expect(holesOf(stored, collected({ sequenceHoles: holes(9, 1, 3, 9) }))).toEqual(holes(1, 3, 9))
  expect(holesOf(stored, collected({ sequenceHoles: holes(3) }))).toBe(stored.sequenceHoles!)
  expect(holesOf(undefined, collected({}))).toEqual([])
})

test('the next part follows the appended head, if all of this part is new', () => {
  const after = { ...stored, nextId: 9, recordCount: 8 } as PartitionHead
  expect(plannedPart(stored, collected({}), after)).toEqual({ added: 3, follows: { nextId: 9, foreignMs: 100 } })
  expect(plannedPart(stored, collected({ ongoing: part(7, 50) }), after).follows).toEqual({ nextId: 9, foreignMs: 50 })
  expect(plannedPart(undefined, collected({}), { ...after, recordCount: 3 }).follows).toEqual({
    ...{ nextId: 9, foreignMs: Number.NEGATIVE_INFINITY },
  })
  expect(plannedPart(stored, collected({ recordCount: 4 }), after)).toEqual({ added: 3, follows: null })
  expect(plannedPart(stored, collected({}), { ...after, edits: [[1, 2]] })).toEqual({ added: 3, follows: null })
  expect(plannedPart(stored, collected({}), undefined)).toEqual({ added: 0, follows: null })
})

test('blocks are ready as they are unless they are many and small', () => {
  const blocks = (count: number) => Array.from({ length: count }, () => ({ content: { length: 10 } }) as never)
  expect(isReady(collected({ blocks: blocks(5), recordCount: 16_384 }))).toBe(true)
  expect(isReady(collected({ blocks: blocks(6), recordCount: 16_384 }))).toBe(false)
  expect(isReady(collected({ blocks: blocks(6), recordCount: 16_385 }))).toBe(true)
  expect(isReady(collected({ isSorted: false }))).toBe(false)
  expect(isReady(collected({ mayRepeat: true }))).toBe(false)
  expect(bytesOf(collected({ blocks: blocks(3) }))).toBe(30)
})
