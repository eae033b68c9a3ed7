// Tests the times that a capture has of each book of a date: the snapshots that begin or restore the book, and
// whether the book continues from before.

import { expect, test } from 'bun:test'
import { BookTimesTracker, type FollowedBooks } from './book-times-tracker.ts'

const idOf = (number: number) => ['', 'A', 'B'][number]!
const nothing = { snapshotsMs: [], goesOnMs: null, gapsMs: [], lastChangeMs: null }

test('a first snapshot begins a book, later ones only confirm it', () => {
  const tracker = new BookTimesTracker('2026-08-10', new Map())
  tracker.note(1, idOf, 'snapshot', 10)
  tracker.note(1, idOf, 'delta', 12)
  tracker.note(1, idOf, 'delta', 11)
  tracker.note(1, idOf, 'snapshot', 20)
  expect(tracker.take()).toEqual([{ ...nothing, book: 'A', snapshotsMs: [10], lastChangeMs: 12 }])
})

test('a change without a snapshot before it continues an earlier capture', () => {
  const tracker = new BookTimesTracker('2026-08-10', new Map())
  tracker.note(2, idOf, 'delta', 5)
  tracker.note(2, idOf, 'delta', 6)
  expect(tracker.take()).toEqual([{ ...nothing, book: 'B', goesOnMs: 5, lastChangeMs: 6 }])
})

test('the next date continues a book that the date before followed, if no gap lost it', () => {
  const followed: FollowedBooks = new Map()
  const before = new BookTimesTracker('2026-08-10', followed)
  before.note(1, idOf, 'snapshot', 10)
  before.note(2, idOf, 'snapshot', 10)
  before.gap(2, idOf, 15)
  const after = new BookTimesTracker('2026-08-11', followed)
  after.note(1, idOf, 'snapshot', 30)
  after.note(2, idOf, 'delta', 31)
  after.note(2, idOf, 'snapshot', 32)
  after.note(2, idOf, 'delta', 33)
  expect(before.take()[1]).toEqual({ ...nothing, book: 'B', snapshotsMs: [10], gapsMs: [15] })
  expect(after.take()).toEqual([
    { ...nothing, book: 'A', goesOnMs: 30 },
    { ...nothing, book: 'B', snapshotsMs: [32], lastChangeMs: 33 },
  ])
})

test('a gap of the market loses every book, also those without a record yet', () => {
  const tracker = new BookTimesTracker('2026-08-10', new Map())
  tracker.note(1, idOf, 'snapshot', 10)
  tracker.gap(0, idOf, 20)
  tracker.note(1, idOf, 'snapshot', 25)
  tracker.note(2, idOf, 'delta', 26)
  tracker.note(2, idOf, 'snapshot', 27)
  expect(tracker.take()).toEqual([
    { ...nothing, book: null, gapsMs: [20] },
    { ...nothing, book: 'A', snapshotsMs: [10, 25] },
    { ...nothing, book: 'B', snapshotsMs: [27], lastChangeMs: 26 },
  ])
})
