// The deadlines of snapshots.

import { expect, test } from 'bun:test'
import { SnapshotDeadlines } from './carried-books.ts'

test('SnapshotDeadlines returns each book when its deadline passes, and again later', () => {
  const deadlines = new SnapshotDeadlines()
  for (const [book, dueMs] of [
    ['A', 10],
    ['B', 20],
    ['C', 20],
  ] as const)
    deadlines.expect(book, dueMs)
  deadlines.met('B')
  const overdue = (ms: number) => deadlines.overdue(ms, 100)
  expect([overdue(9), overdue(10), overdue(20), overdue(21), overdue(110), overdue(119), overdue(120)]).toEqual([
    [],
    ['A'],
    ['C'],
    [],
    ['A'],
    [],
    ['C'],
  ])
})

test('a book that never gets its snapshot is requested again, and delays nothing', () => {
  const deadlines = new SnapshotDeadlines()
  deadlines.expect('quick', 100)
  deadlines.expect('dead', 100)
  deadlines.expect('slow', 300)
  expect(deadlines.waiting).toBe(3)
  deadlines.met('quick')
  expect([deadlines.overdue(99, 50), deadlines.waiting]).toEqual([[], 2])
  expect([deadlines.overdue(100, 50), deadlines.waiting]).toEqual([['dead'], 1])
  expect(deadlines.overdue(149, 50)).toEqual([])
  expect(deadlines.overdue(150, 50)).toEqual(['dead'])
  deadlines.met('slow')
  expect(deadlines.waiting).toBe(0)
  // A new subscription makes the book wait again.
  deadlines.expect('dead', 400)
  expect(deadlines.waiting).toBe(1)
  deadlines.met('dead')
  expect([deadlines.waiting, deadlines.overdue(1_000, 50)]).toEqual([0, []])
})
