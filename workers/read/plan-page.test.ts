// A node of a cluster refuses a cursor that was made after a change which the node does not know yet: the cursor
// counted other records than this node has.

import { expect, test } from 'bun:test'
import type { StoredDay } from '../../storage/catalogue.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import { requireFresh } from './plan-page.ts'

const DATE = '2026-07-20'
const day = (revision: number, recordCount: number, edits: PartitionHead['edits']): StoredDay => ({
  date: DATE,
  head: { revision, recordCount, edits } as PartitionHead,
})

test('a cursor is valid while nothing before it changes, on nodes that know all of its changes', () => {
  const isTaken = (known: StoredDay) => {
    try {
      requireFresh([known], { date: DATE, record: 10, revision: 4 })
      return true
    } catch (error) {
      expect((error as { code: string }).code).toBe('cursor_stale')
      return false
    }
  }
  expect(isTaken(day(4, 20, [[4, 2]]))).toBe(true)
  expect(isTaken(day(5, 25, [[5, 20]]))).toBe(true)
  expect(isTaken(day(5, 25, [[5, 3]]))).toBe(false)
  // The cursor is of a revision with these records, before the fourth change inserted others among them.
  expect(isTaken(day(3, 15, [[3, 0]]))).toBe(false)
  expect(isTaken(day(3, 10, [[3, 0]]))).toBe(false)
})
