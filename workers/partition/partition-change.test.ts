// Tests the edits of a partition: the first record that each revision changed, as far back as cursors need them.

import { expect, test } from 'bun:test'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import { kalshiDelta } from '../../test/model/lines.ts'
import { collectLines } from '../../test/support/collected.ts'
import { MemoryPartition } from '../../test/support/stored-partition.ts'
import { addEdit } from './partition-change.ts'

const head = (edits: [number, number][], recordCount = 1_000) => ({ edits, recordCount }) as PartitionHead

test('an edit replaces later ones, and an append is not an edit', () => {
  expect(addEdit(undefined, 1, 0)).toEqual([[1, 0]])
  expect(
    addEdit(
      head([
        [1, 0],
        [2, 50],
        [3, 90],
      ]),
      4,
      60,
    ),
  ).toEqual([
    [1, 0],
    [2, 50],
    [4, 60],
  ])
  expect(
    addEdit(
      head([
        [1, 0],
        [2, 50],
      ]),
      3,
      50,
    ),
  ).toEqual([
    [1, 0],
    [3, 50],
  ])
  const before = head([[1, 0]])
  expect(addEdit(before, 2, 1_000)).toBe(before.edits)
})

test('beyond 64 the two oldest become one', () => {
  const edits = Array.from({ length: 64 }, (_, i): [number, number] => [i + 1, 10 * i])
  const after = addEdit(head(edits), 65, 700)
  expect([after.length, after[0], after[1], after.at(-1)]).toEqual([64, [2, 0], [3, 20], [65, 700]])
})

test('each change has a new revision and new ids, and removes what it replaces', () => {
  const memory = new MemoryPartition()
  const add = (...times: number[]) => {
    for (const collected of collectLines(times.map((ms) => JSON.stringify(kalshiDelta(ms, '0.40', `${ms + 1}`)))))
      memory.add(collected)
    const { head: now } = memory.stored!
    return {
      revision: now.revision,
      records: now.recordCount,
      edits: now.edits,
      ids: now.blocks.map(({ id }) => id),
      nextId: now.nextId,
    }
  }
  const first = add(10, 20)
  const appended = add(30)
  const merged = add(15)
  expect([appended.revision - first.revision, merged.revision - appended.revision]).toEqual([1, 1])
  expect([appended.records, merged.records, appended.edits]).toEqual([3, 4, first.edits])
  expect(merged.edits.at(-1)).toEqual([merged.revision, 1])
  expect(Math.min(...merged.ids)).toBeGreaterThanOrEqual(appended.nextId)
  const blocks = [...memory.parts.keys()].filter((name) => name.startsWith('block'))
  expect(blocks).toHaveLength(merged.ids.length)
})
