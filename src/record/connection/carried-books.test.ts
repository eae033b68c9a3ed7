// Tests the deadlines of snapshots.

import { expect, test } from 'bun:test'
import { RecorderStats } from '../status/recorder-stats.ts'
import { CarriedBooks } from './carried-books.ts'
import type { VenueProtocol } from './venue-protocol.ts'

/** Each book has 10 ms for its first snapshot, and 80 ms for each further one. */
function scene() {
  const stats = new RecorderStats(0).venues.kalshi
  return { stats, books: new CarriedBooks({ venue: 'kalshi' } as VenueProtocol, { snapshotMs: 10 }, stats) }
}

test('a book is overdue when its deadline passes, and again later', () => {
  const { stats, books } = scene()
  books.expect(['A'], 0)
  books.expect(['B', 'C'], 10)
  books.met('B')
  const overdue = [9, 10, 20, 21, 89, 90, 99, 100].map((ms) => books.overdue(ms))
  expect(overdue).toEqual([[], ['A'], ['C'], [], [], ['A'], [], ['C']])
  expect(stats.snapshotsMissing).toBe(4)
})

test('a book that never gets its snapshot is requested again, and delays nothing', () => {
  const { books } = scene()
  books.expect(['quick', 'dead'], 90)
  books.expect(['slow'], 290)
  expect(books.waiting).toBe(3)
  books.met('quick')
  expect([books.overdue(99), books.waiting]).toEqual([[], 2])
  expect([books.overdue(100), books.waiting]).toEqual([['dead'], 1])
  expect(books.overdue(179)).toEqual([])
  expect(books.overdue(180)).toEqual(['dead'])
  books.met('slow')
  expect(books.waiting).toBe(0)
  // A new subscription makes the book wait again.
  books.expect(['dead'], 390)
  expect(books.waiting).toBe(1)
  books.met('dead')
  expect([books.waiting, books.overdue(1_000)]).toEqual([0, []])
})
