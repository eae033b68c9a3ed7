// A tool states how many rows it shows and how many it leaves out, and prints times that people can read.

import { expect, test } from 'bun:test'
import { shownRows, withTimes } from './shown-rows.ts'

const rows = (lines: string[], more: { total?: number | null; hasMore?: boolean } = {}) => ({
  what: 'Trades of A',
  rows: { lines, total: null, hasMore: false, nextCursor: null, ...more },
  narrower: 'Give an earlier `to`.',
})
const ROW = `${Date.UTC(2026, 7, 10, 12)},0.5,1600`

test('all rows, with their first value as a time', () => {
  expect(shownRows(rows(['timestamp,price,size', ROW]))).toBe(
    'Trades of A: 1.\ntimestamp,price,size\n2026-08-10T12:00:00.000Z,0.5,1600',
  )
})

test('some of more, with a note', () => {
  const shown = shownRows({ ...rows(['timestamp,price', ROW], { total: 90, hasMore: true }), note: 'Sizes are sums.' })
  expect(shown.split('\n')[0]).toBe(
    'Trades of A: the first 1 of 90. There are more. Give an earlier `to`. Sizes are sums.',
  )
  expect(shownRows(rows(['timestamp,price', ROW], { hasMore: true }))).toStartWith('Trades of A: 1. There are more.')
})

test('none', () => {
  expect(shownRows(rows(['timestamp,price']))).toBe('Trades of A: none in this time. coverage shows what is stored.')
})

test('times in JSON, and nothing else', () => {
  const ms = Date.UTC(2026, 7, 10)
  expect(JSON.parse(withTimes({ as_of: ms, first_timestamp: ms, size: ms, gaps: [{ from: ms, to: null }] }))).toEqual({
    ...{ as_of: '2026-08-10T00:00:00.000Z', first_timestamp: '2026-08-10T00:00:00.000Z', size: ms },
    gaps: [{ from: '2026-08-10T00:00:00.000Z', to: null }],
  })
})
