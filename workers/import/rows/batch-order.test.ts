// Rows of one receipt are ordered by the venue's time, and a snapshot is placed where it equals the book.

import { expect, test } from 'bun:test'
import { orderOf } from './batch-order.ts'

/** A delta has the venue's time in µs, its level and its change. A snapshot has its levels. */
type Row = { received: number } & ({ us: number; level: string; size: number } | { levels: Record<string, number> })
const delta = (received: number, us: number, level: string, size: number): Row => ({ received, us, level, size })
const snapshot = (received: number, levels: Record<string, number>): Row => ({ received, levels })

function ordered(rows: Row[], before?: Record<string, number>) {
  const { order, book } = orderOf(
    {
      count: rows.length,
      receivedOf: (row) => rows[row]!.received,
      venueUsOf: (row) => ('us' in rows[row]! ? rows[row].us : Number.NaN),
      isSnapshot: (row) => 'levels' in rows[row]!,
      levelOf: (row) => (rows[row] as { level: string }).level,
      sizeOf: (row) => (rows[row] as { size: number }).size,
      levelsOf: (row) => new Map(Object.entries((rows[row] as { levels: Record<string, number> }).levels)),
    },
    before && new Map(Object.entries(before)),
  )
  return { order, book: book && Object.fromEntries(book) }
}

test('by receipt, then by the venue’s time, then as they are', () =>
  expect(ordered([delta(2, 9, 'a', 1), delta(1, 8, 'a', 1), delta(1, 7, 'a', 1), delta(1, 7, 'b', 1)]).order).toEqual([
    2, 3, 1, 0,
  ]))

test('a snapshot is where it equals the book that the deltas make', () => {
  const rows = [snapshot(1, { a: 3 }), delta(1, 5, 'a', 1), delta(1, 6, 'a', 2), delta(1, 7, 'a', 4)]
  expect(ordered(rows, { a: 2 })).toEqual({ order: [1, 0, 2, 3], book: { a: 9 } })
  expect(ordered(rows, { a: 3 }).order).toEqual([0, 1, 2, 3])
  expect(ordered(rows, {}).order).toEqual([1, 2, 0, 3])
})

test('a snapshot that never equals the book, or has an unknown book, keeps its place in the file', () => {
  const rows = [delta(1, 6, 'a', 2), snapshot(1, { a: 100 }), delta(1, 5, 'a', 1)]
  expect(ordered(rows, { a: 1 })).toEqual({ order: [2, 0, 1], book: { a: 100 } })
  expect(ordered([delta(1, 5, 'a', 1), snapshot(1, { a: 100 }), delta(1, 6, 'a', 2)])).toEqual({
    order: [0, 1, 2],
    book: { a: 102 },
  })
})

test('the earliest of several snapshots comes first, and a level without a size is gone', () => {
  const rows = [snapshot(1, {}), snapshot(1, { a: 2 }), delta(1, 5, 'a', 1), delta(1, 6, 'a', -2)]
  expect(ordered(rows, { a: 1 })).toEqual({ order: [2, 1, 3, 0], book: {} })
  expect(ordered([delta(1, 5, 'a', -1)], { a: 1 }).book).toEqual({})
  expect(ordered([delta(1, 5, 'a', 1)]).book).toBeUndefined()
})
