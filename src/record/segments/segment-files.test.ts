// Goal: what a segment holds in memory is bounded, however seldom its timer comes to flush it, and nothing of it is lost
// where the disk does not take it.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newFolder } from '../../../workers/segment/segment-folder.ts'
import { SEGMENT_START, segmentText } from '../../../workers/segment/segment-text.ts'
import { SegmentWriter } from '../../../workers/segment/segment-writer.ts'
import { recordedSegment } from './segment-files.ts'

const START_NS = BigInt(Date.UTC(2026, 7, 10, 12)) * 1_000_000n
const TEXT = JSON.stringify({ type: 'orderbook_delta', msg: 'x'.repeat(960) })
const MEGABYTE = 2 ** 20
const decoder = new TextDecoder()

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recorded-segment-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function recorded(full: { is: boolean }) {
  const header = { venue: 'kalshi', recorder: 'a', connection: 'c', url: 'ws://x', version: '1' } as const
  const writer = new SegmentWriter(folder, { ...header, useYesPrice: true, clock: 'machine' }, () => START_NS)
  const flush = writer.flush.bind(writer)
  let tries = 0
  writer.flush = () => {
    tries++
    if (full.is) throw new Error('the disk is full')
    return flush()
  }
  const given: Uint8Array[] = []
  const segment = recordedSegment(writer, {
    add: (_, lines) => given.push(lines),
    closed: () => {},
  })
  return { segment, given, tries: () => tries }
}

const linesOf = (parts: Iterable<Uint8Array>) => [...parts].map((part) => decoder.decode(part)).join('')

test('a megabyte is written before the timer fires, and reads back unchanged', () => {
  const { segment, given } = recorded({ is: false })
  const count = 8_000
  for (let i = 0; i < count; i++) {
    segment.frame(TEXT, START_NS + BigInt(i), BigInt(i))
    expect(segment.pendingLength).toBeLessThan(MEGABYTE + 2 * TEXT.length)
  }
  segment.rest('y'.repeat(MEGABYTE), START_NS, 'KX-A')
  expect(segment.pendingLength).toBe(0)
  expect(given.length).toBeGreaterThan(6)
  const path = join(newFolder(folder), `${segment.name}.part`)
  const text = linesOf(given)
  expect(linesOf(segmentText(path, { ...SEGMENT_START }))).toBe(text)
  expect(text.split('\n').filter((line) => line.includes('orderbook_delta'))).toHaveLength(count)
  segment.abandon()
})

test('frames rarely retry a full disk, and the disk gets every line once it has room', () => {
  const full = { is: true }
  const { segment, given, tries } = recorded(full)
  const count = 8_000
  for (let i = 0; i < count; i++) segment.frame(TEXT, START_NS + BigInt(i), BigInt(i))
  expect(given).toEqual([])
  expect(tries()).toBeLessThan(6)
  expect(() => segment.flush()).toThrow('full')
  full.is = false
  segment.flush()
  expect(segment.pendingLength).toBe(0)
  expect(
    linesOf(given)
      .split('\n')
      .filter((line) => line.includes('orderbook_delta')),
  ).toHaveLength(count)
  segment.abandon()
})
