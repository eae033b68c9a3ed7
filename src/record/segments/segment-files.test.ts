// Tests that the memory of a segment is bounded, however late its timer runs; that nothing is lost if the disk fails
// for a while; and what happens at the end of an hour.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newFolder } from '../../../workers/segment/segment-folder.ts'
import { SEGMENT_START, segmentText } from '../../../workers/segment/segment-text.ts'
import { SegmentWriter } from '../../../workers/segment/segment-writer.ts'
import { HourlySegment, recordedSegment, type Segment } from './segment-files.ts'

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

type Refusals = { open: boolean; close: boolean }

function scene() {
  const refused: Refusals = { open: false, close: false }
  const written: string[] = []
  let isDue = false
  let opened = 0
  const check = (call: keyof Refusals) => {
    if (refused[call]) throw new Error(`the disk refuses ${call}`)
  }
  const open = () => {
    check('open')
    const name = `s${++opened}`
    let waiting: string[] = []
    const flush = () => {
      written.push(...waiting)
      waiting = []
    }
    return {
      frame: (text: string) => waiting.push(`${name} ${text}`),
      isDue: () => isDue && name === 's1',
      flush,
      close: () => {
        check('close')
        flush()
        written.push(`${name} end`)
      },
      abandon: () => written.push(`${name} abandoned`),
    } as unknown as Segment
  }
  const header = { venue: 'kalshi', connection: 'k', url: '', useYesPrice: null, clock: 'machine' } as const
  const begin = (segment: Segment) => segment.frame('begins', null, 0n)
  const hourly = new HourlySegment(open, header, { wallNs: () => 0n }, begin)
  const endHour = () => {
    isDue = true
  }
  return { hourly, refused, written, endHour, writeLine: (text: string) => hourly.segment.frame(text, null, 0n) }
}

test.each(['open', 'close'] as const)(
  'a segment continues until its successor exists, if the disk refuses %s',
  (call) => {
    const { hourly, refused, written, endHour, writeLine } = scene()
    writeLine('one')
    hourly.flush()
    endHour()
    refused[call] = true
    writeLine('two')
    expect(() => hourly.flush()).toThrow(`refuses ${call}`)
    writeLine('three')
    expect(() => hourly.flush()).toThrow(`refuses ${call}`)
    expect(written.at(-1)).toBe('s1 three')
    refused[call] = false
    hourly.flush()
    writeLine('four')
    hourly.close({})
    expect(written).toEqual(['s1 begins', 's1 one', 's1 two', 's1 three', 's1 end', 's2 begins', 's2 four', 's2 end'])
  },
)

test('the file of an hour that never began is abandoned', () => {
  const { hourly, refused, written, endHour } = scene()
  endHour()
  refused.close = true
  expect(() => hourly.flush()).toThrow('refuses close')
  hourly.abandon()
  expect(written).toEqual(['s1 begins', 's1 abandoned', 's2 abandoned'])
})
