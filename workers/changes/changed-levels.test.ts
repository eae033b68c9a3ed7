// Each level that a record changes is one row: bids first, the best level first. An unchanged level has no row.

import { expect, test } from 'bun:test'
import { madeBook } from '../../test/support/books/made-book.ts'
import { ASK, BID, SIDE_CELLS } from '../book/ladder.ts'
import { levelKey } from '../book/level-key.ts'
import { NULL } from '../table/table.ts'
import { ChangedLevels, KINDS, SIDES } from './changed-levels.ts'

function begun(firstRecord = 100) {
  const levels = new ChangedLevels()
  levels.block({ firstRecord, columns: { timesMs: Float64Array.of(10, 20, 30, 40, 50) } })
  return levels
}
function rowsOf(levels: ChangedLevels): string[] {
  levels.finish()
  const text = (value: number) => (value === NULL ? '-' : String(value))
  return Array.from({ length: levels.count }, (_, row) => {
    const numbers = [levels.records, levels.prices, levels.before, levels.after].map((column) => text(column[row]!))
    return `${levels.timesMs[row]} ${KINDS[levels.kinds[row]!]} ${SIDES[levels.sides[row]!] ?? '-'} ${numbers.join(' ')}`
  })
}

test('levels of a change are sorted, merged, and left out if nothing changes', () => {
  const levels = begun()
  const onLevel = levels.comparedLevels(1, 1)
  onLevel(levelKey(ASK, 400_000), 5, false, 5, 0)
  onLevel(levelKey(BID, 300_000), 6, false, 6, 0)
  onLevel(levelKey(BID, 400_000), 7, false, 7, 1)
  onLevel(levelKey(BID, 300_000), 8, false, 8, 6)
  onLevel(levelKey(BID, 200_000), 3, false, 3, 0)
  onLevel(levelKey(BID, 200_000), 0, false, 0, 3)
  levels.comparedLevels(1, 2)(levelKey(BID, 300_000), 0, false, 0, 8)
  expect(rowsOf(levels)).toEqual([
    '20 level bid 101 400000 1 7',
    '20 level bid 101 300000 0 8',
    '20 level ask 101 600000 0 5',
    '30 level bid 102 300000 8 0',
  ])
})

test('a cell is a level of its own record', () => {
  const levels = begun()
  levels.changedCell(0, 4_000, 5, 0)
  levels.changedCell(1, SIDE_CELLS + 4_000, 7, 6)
  levels.changedCell(2, 4_000, 5, 5)
  expect(rowsOf(levels)).toEqual(['10 level bid 100 400000 0 5', '20 level ask 101 600000 6 7'])
})

test('a snapshot: levels that are new, that changed, and that are gone', () => {
  const levels = begun()
  levels.snapshot(
    madeBook(
      [
        [400_000, 5],
        [300_000, 6],
      ],
      [[600_000, 7]],
    ),
    1,
    3,
  )
  levels.snapshotApplied(
    madeBook(
      [
        [400_000, 5],
        [410_000, 9],
      ],
      [],
    ),
  )
  expect(rowsOf(levels)).toEqual([
    '40 snapshot bid 103 410000 0 9',
    '40 snapshot bid 103 300000 6 0',
    '40 snapshot ask 103 600000 7 0',
  ])
})

test('a gap removes all levels, and gets a row of its own if there are none', () => {
  const levels = begun()
  levels.losing(madeBook([[400_000, 5]], [[600_000, 7]]), 1, 0)
  levels.losing(madeBook([], []), 1, 1)
  levels.comparedLevels(1, 2)(levelKey(BID, 300_000), 1, false, 1, 0)
  expect(rowsOf(levels)).toEqual([
    '10 gap bid 100 400000 5 0',
    '10 gap ask 100 600000 7 0',
    '20 gap - 101 - - -',
    '30 level bid 102 300000 0 1',
  ])
})

test('a switch is a snapshot without a record; rows begin again after clear, and grow', () => {
  const levels = begun()
  levels.switched(madeBook([[400_000, 5]], []), madeBook([[400_000, 6]], []), 25)
  expect(rowsOf(levels)).toEqual(['25 snapshot bid - 400000 5 6'])
  levels.clear()
  for (let cell = 1; cell <= 3_000; cell++) levels.changedCell(4, cell, 1, 0)
  expect([levels.count, rowsOf(levels).at(-1)]).toEqual([3_000, '50 level bid 104 300000 0 1'])
})
