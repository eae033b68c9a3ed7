// A printed line with a recorder's times of a book is read back unchanged; an incomplete line is refused.

import { expect, test } from 'bun:test'
import { printBookTimes, readBookTimes } from './printed-book-times.ts'

const BOOK_TIMES = { recorder: 'a', book: 'b', snapshotsMs: [1, 2], goesOnMs: null, gapsMs: [3], lastChangeMs: 4 }
const LINE = JSON.parse(printBookTimes({ market: 'KXA', date: '2026-08-10', source: undefined, heard: BOOK_TIMES }))

test.each([
  [BOOK_TIMES, undefined],
  [{ ...BOOK_TIMES, book: null, goesOnMs: 9, lastChangeMs: null }, 'ag'],
  [(({ recorder: _, ...rest }) => rest)(BOOK_TIMES), undefined],
])('%j', (heard, source) => {
  const printed = { market: 'KXA', date: '2026-08-10', source, heard }
  expect(readBookTimes(JSON.parse(printBookTimes(printed)), source)).toEqual(printed)
})

test.each([
  { market: 1 },
  { date: null },
  { recorder: 5 },
  { book: 5 },
  { snapshots: [1.5] },
  { snapshots: null },
  { gaps: [-1] },
  { goes_on: 'x' },
  { last_change: -1 },
])('%j is refused', (more) => {
  expect(readBookTimes({ ...LINE, ...more }, undefined)).toBeUndefined()
})
