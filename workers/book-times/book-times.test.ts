// The times of recorders merge to the same result in any order. A recorder without a break covers a gap of another.

import { expect, test } from 'bun:test'
import type { BookTimes } from '../../storage/format/partition-head.ts'
import { bookTimesBy, isCoveredGap, mergeBookTimes, receivedBooks } from './book-times.ts'

const times = (of: Partial<BookTimes>): BookTimes => ({
  ...{ book: 'A', snapshotsMs: [], goesOnMs: null, gapsMs: [], lastChangeMs: null },
  ...of,
})
const gap = (fromMs: number | null, toMs: number | null, book: string | null = 'A') =>
  ({ book, reason: 'lag', fromMs, toMs, atMs: 0 }) as const

test('segments of one recorder continue each other', () => {
  const one = times({ recorder: 'r', snapshotsMs: [5], gapsMs: [9], lastChangeMs: 20 })
  const other = times({ recorder: 'r', snapshotsMs: [30, 5], goesOnMs: 25, gapsMs: [28, 9], lastChangeMs: 15 })
  const joined = [times({ recorder: 'r', snapshotsMs: [5, 30], goesOnMs: 25, gapsMs: [9, 28], lastChangeMs: 20 })]
  expect(mergeBookTimes([one], [other])).toEqual(joined)
  expect(mergeBookTimes([other], [one])).toEqual(joined)
  expect(mergeBookTimes(joined, [one])).toBe(joined)
})

test('other recorders, books and captures stay separate, in one order', () => {
  const all = [
    times({ recorder: 'r', lastChangeMs: 1 }),
    times({ recorder: 's', lastChangeMs: 2 }),
    times({ recorder: 'r', book: null, gapsMs: [3] }),
    times({ snapshotsMs: [1], lastChangeMs: 7 }),
    times({ snapshotsMs: [2], lastChangeMs: 7 }),
  ]
  const merged = mergeBookTimes([], all)
  expect(merged).toHaveLength(5)
  expect(mergeBookTimes([], all.toReversed())).toEqual(merged)
  expect(mergeBookTimes(merged, [all[3]!])).toBe(merged)
  expect(mergeBookTimes(merged, [times({ snapshotsMs: [3] })])).toBe(merged)
})

test('a capture of no recorder has the gaps of the market in each book', () => {
  const records = [times({ gapsMs: [4] }), times({ book: null, gapsMs: [2] })]
  expect(bookTimesBy(undefined, records)[0]).toEqual(times({ gapsMs: [4, 2] }))
  expect(bookTimesBy('r', records)).toEqual(records.map((one) => ({ ...one, recorder: 'r' })))
})

const whole = { recorder: 's', snapshotsMs: [5], lastChangeMs: 20 }
test.each<[string, Partial<BookTimes>[], [number | null, number | null], boolean]>([
  ['a recorder with a snapshot before and a change after', [whole], [10, 15], true],
  ['a change at the end of the gap', [whole], [10, 20], true],
  ['no change at the end', [whole], [10, 21], false],
  ['a snapshot at its beginning', [whole], [5, 15], false],
  ['a gap that ends before it begins', [whole], [21, 15], false],
  ['a gap of the other recorder within', [{ ...whole, gapsMs: [12] }], [10, 15], false],
  ['before it, but after the snapshot', [{ ...whole, gapsMs: [7] }], [10, 15], false],
  ['after it', [{ ...whole, gapsMs: [16] }], [10, 15], true],
  ['a snapshot between', [{ ...whole, gapsMs: [7], snapshotsMs: [5, 8] }], [10, 15], true],
  ['a gap of the market of the other recorder', [whole, { recorder: 's', book: null, gapsMs: [12] }], [10, 15], false],
  ['one of a third', [whole, { recorder: 't', book: null, gapsMs: [12] }], [10, 15], true],
  ['a capture that continues', [{ recorder: 's', goesOnMs: 5, lastChangeMs: 20 }], [10, 15], true],
  ['that continues after a gap', [{ recorder: 's', goesOnMs: 5, gapsMs: [4], lastChangeMs: 20 }], [10, 15], false],
  ['a gap without a beginning', [whole], [null, 15], false],
  ['without an end', [whole], [10, null], false],
  ['another book', [{ ...whole, book: 'B' }], [10, 15], false],
])('%s', (_, all, [fromMs, toMs], expected) =>
  expect(isCoveredGap(receivedBooks(all.map(times)), gap(fromMs, toMs), () => ['A'])).toBe(expected),
)

test('a gap of the market is covered if each of its books is', () => {
  const all = [times(whole), times({ ...whole, book: 'B', recorder: 't' })]
  expect(isCoveredGap(receivedBooks(all), gap(10, 15, null), () => ['A', 'B'])).toBe(true)
  expect(isCoveredGap(receivedBooks(all), gap(10, 15, null), () => ['A', 'B', 'C'])).toBe(false)
  expect(isCoveredGap([], gap(10, 15, null), () => [])).toBe(false)
})
