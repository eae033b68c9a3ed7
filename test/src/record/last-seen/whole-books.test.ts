// Goal: however a recorder ends, the gap of each book begins at the time up to which the book was whole on the disk.

import { expect, test } from 'bun:test'
import { lastSeenIn } from '../../../../src/record/last-seen/segment-ends.ts'
import { SegmentWriter } from '../../../../workers/segment/segment-writer.ts'
import { temporaryFolder } from '../../../support/server.ts'

const START_MS = 1_786_410_000_000
const ns = (ms: number) => BigInt(START_MS + ms) * 1_000_000n

type Lines = (segment: SegmentWriter) => void

/** Returns the segments of a connection's sockets, by their start. */
function recorded(...segments: [socket: number, beganMs: number, lines: Lines | null][]) {
  using folder = temporaryFolder()
  for (const [socket, beganMs, lines] of segments) {
    const header = { venue: 'kalshi', recorder: 'one', connection: `kalshi-1-${socket}`, url: '' } as const
    const whole = { ...header, useYesPrice: false, version: '1', clock: 'machine' } as const
    const segment = new SegmentWriter(folder.path, whole, () => ns(beganMs))
    if (lines === null) continue
    lines(segment)
    segment.flush()
    segment.abandon()
  }
  const lastSeen = lastSeenIn(folder.path, 'one').kalshi
  return Object.fromEntries([...lastSeen].map(([book, { untilMs }]) => [book, untilMs - START_MS]))
}

const trade = (segment: SegmentWriter, ms: number) =>
  segment.frame(JSON.stringify({ type: 'trade', msg: { ts_ms: START_MS + ms } }), ns(ms), 0n)
const carries =
  (books: string[], lost: Record<string, number>, frames: number[] = []): Lines =>
  (segment) => {
    const since = Object.fromEntries(Object.entries(lost).map(([book, ms]) => [book, START_MS + ms]))
    segment.control('state', { state: 'carries', books, lost: since })
    for (const ms of frames) trade(segment, ms)
  }
const both: Lines = (segment) => {
  carries(['A', 'B'], { A: 500, B: 500 })(segment)
  const msg = {
    reason: 'disconnect',
    from: 0,
    to: 0,
    connection: '',
    scope: 'connection',
    closed_by: 'snapshot',
  } as const
  segment.gap({ venue: 'kalshi', market: 'A', msg })
  segment.frame('{"type":"orderbook_snapshot"}', ns(5_900), 0n)
  trade(segment, 6_000)
}

test('a book was whole up to the last frame of the newest segment', () => {
  const [older, newer] = [carries(['A'], {}, [1_000]), carries(['A'], {}, [4_000, 5_000])]
  expect(recorded([1, 0, older], [2, 3_000, newer])).toEqual({ A: 5_000 })
})

test('a book that was lost when a segment began was whole up to that loss, unless a gap closes there', () => {
  expect(recorded([1, 0, carries(['A', 'B'], {}, [500])], [2, 3_000, both])).toEqual({ A: 6_000, B: 500 })
})

test('an empty segment does not hide the one before it', () => {
  expect(recorded([1, 0, carries(['A'], {}, [1_000])], [1, 3_000, null])).toEqual({ A: 1_000 })
})

test('a frame counts from the time that the venue gives in it', () => {
  const late: Lines = (segment) => {
    carries(['A'], {})(segment)
    segment.frame(`{"type":"trade","msg":{"ts_ms":${START_MS + 700}}}`, ns(1_000), 0n)
  }
  expect(recorded([1, 0, late])).toEqual({ A: 700 })
})
