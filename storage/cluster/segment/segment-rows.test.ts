// Goal: a commit counts the partitions of each segment and the segments of its shard, and records which segments have
// no partition left.

import { expect, test } from 'bun:test'
import type { Write } from '../../rows/shared-rows.ts'
import {
  openSegment,
  openTotals,
  openUnnamed,
  SegmentCounts,
  sealSegment,
  segmentKey,
  totalsKey,
  unnamedKey,
} from './segment-rows.ts'

const [OLD, NEW] = ['a', 'b'].map((digit) => `segments/2026-08-10/${digit.repeat(64)}`) as [string, string]
const ADDED = { key: NEW, bytes: 900, nowMs: 1_000 }
const TOTALS = totalsKey('3')

function changed(stored: [string, Uint8Array][], change: (counts: SegmentCounts) => void) {
  const counts = new SegmentCounts('3')
  change(counts)
  const write: Write = { expect: [], put: [], remove: [] }
  counts.finish(write, new Map(stored), ADDED)
  const put = new Map(write.put.map(({ key, value }) => [key, value]))
  return { ...write, put }
}

const row = (segment: string, bytes: number, count: number): [string, Uint8Array] => {
  const key = segmentKey(segment)
  return [key, sealSegment(key, { bytes, count })]
}

test('a new segment is counted once for each partition that names it', () => {
  const { expect: expected, put } = changed([], (counts) => {
    counts.change([], [NEW])
    counts.change([], [NEW])
  })
  expect(openSegment(segmentKey(NEW), put.get(segmentKey(NEW))!)).toEqual({ bytes: 900, count: 2 })
  expect(openTotals(TOTALS, put.get(TOTALS))).toEqual({ segments: 1, bytes: 900 })
  expect(expected.map(({ key, revision }) => [key, revision.length])).toEqual([
    [segmentKey(NEW), 0],
    [TOTALS, 0],
  ])
})

test('a segment without partitions waits for a sweep from that time on', () => {
  const [key] = row(OLD, 500, 2)
  const { put, remove } = changed([row(OLD, 500, 2)], (counts) => {
    counts.change([OLD], [NEW])
    counts.change([OLD], [])
  })
  expect(remove).toEqual([key])
  expect(openUnnamed(unnamedKey(OLD), put.get(unnamedKey(OLD))!)).toEqual({ bytes: 500, sinceMs: 1_000 })
  expect(openTotals(TOTALS, put.get(TOTALS))).toEqual({ segments: 0, bytes: 400 })
})

test('a partition that stays in its segments changes no row', () => {
  const { expect: expected, put, remove } = changed([row(OLD, 500, 2)], (counts) => counts.change([OLD], [OLD]))
  expect([expected, [...put], remove]).toEqual([[], [], []])
})

test('a row under the key of another segment is damage', () => {
  const [, value] = row(OLD, 500, 2)
  expect(() => openSegment(segmentKey(NEW), value)).toThrow(`entry of the segment ${NEW} is damaged`)
})
