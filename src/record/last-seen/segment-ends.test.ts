// Tests up to when a book counts as complete after a restart: to the last frame of its connection, or to a loss without
// a gap record.

import { afterAll, expect, test } from 'bun:test'
import { TemporaryFolders } from '../../../test/support/disk/temporary-folders.ts'
import type { GapLine } from '../../../workers/segment/segment-lines.ts'
import { SegmentWriter } from '../../../workers/segment/segment-writer.ts'
import { lastSeenIn } from './segment-ends.ts'

const NOW_MS = Date.UTC(2026, 6, 20, 12)
const ns = (ms: number) => BigInt(NOW_MS + ms) * 1_000_000n

/** Writes one segment, flushed line by line and left open, as a kill leaves it. */
function segment(
  folder: string,
  atMs: number,
  write: (lines: SegmentWriter) => void,
  clock: 'machine' | 'replay' = 'machine',
  connection = `kalshi-1-${atMs + 1}`,
) {
  const header = {
    venue: 'kalshi',
    recorder: 'a',
    connection,
    url: 'ws://x',
    version: '0',
  } as const
  const writer = new SegmentWriter(folder, { ...header, useYesPrice: false, clock }, () => ns(atMs))
  write(writer)
  writer.flush()
  return writer
}

function writeFrame(writer: SegmentWriter, venueMs: number | null, receivedMs: number): void {
  writer.frame(JSON.stringify(venueMs === null ? {} : { msg: { ts_ms: NOW_MS + venueMs } }), ns(receivedMs), 0n)
}
const frame = (writer: SegmentWriter, ms: number) => writeFrame(writer, ms, ms)
const carries = (writer: SegmentWriter, books: string[], lost: Record<string, number> = {}) =>
  writer.control('state', { state: 'carries', books, lost })

const gapOf = (market: string): GapLine => ({
  venue: 'kalshi',
  market,
  msg: { reason: 'disconnect', from: 1, to: 2, connection: 'c', scope: 'connection', closed_by: 'snapshot' },
})

const folders = new TemporaryFolders()
afterAll(() => folders.remove())

function lastSeenAfter(...writes: [number, (writer: SegmentWriter) => void][]): Record<string, number> {
  const folder = folders.make()
  for (const [atMs, write] of writes) segment(folder, atMs, write)
  return Object.fromEntries([...lastSeenIn(folder, 'a').kalshi].map(([book, { untilMs }]) => [book, untilMs - NOW_MS]))
}

test('books are complete up to the last frame of their connection, although other lines follow it', () => {
  expect(
    lastSeenAfter([
      0,
      (writer) => {
        carries(writer, ['A', 'B', 'C'])
        frame(writer, 1_000)
        frame(writer, 2_000)
        writer.control('state', { state: 'drops', books: ['C'] })
        writer.gap(gapOf('A'))
      },
    ]),
  ).toEqual({ A: 2_000, B: 2_000 })
})

test('a book that was lost and had no snapshot since is complete up to its loss', () => {
  const lost = { A: NOW_MS + 500, B: NOW_MS + 500 }
  const second = (writer: SegmentWriter) => {
    carries(writer, ['A', 'B', 'C'], lost)
    frame(writer, 5_000)
    writer.gap(gapOf('B'))
    frame(writer, 6_000)
  }
  expect(lastSeenAfter([0, (writer) => frame(writer, 400)], [1_000, second])).toEqual({ A: 500, B: 6_000, C: 6_000 })
})

test('the books of a connection that received nothing are complete up to its opening', () => {
  expect(lastSeenAfter([700, (writer) => carries(writer, ['A'])])).toEqual({ A: 700 })
})

test('a segment that starts with its hour is complete up to the last frame of its socket before that', () => {
  const frozen = (writer: SegmentWriter) =>
    writer.control('state', { state: 'carries', all: true, until: NOW_MS + 400, books: ['A'], lost: {} })
  expect(lastSeenAfter([0, (writer) => frame(writer, 400)], [3_000, frozen])).toEqual({ A: 400 })
})

test('segments from before the last start of a recorder set no last-seen times', () => {
  const folder = folders.make()
  segment(folder, 0, (writer) => {
    carries(writer, ['A', 'B'])
    frame(writer, 400)
  })
  const start = (writer: SegmentWriter) =>
    writer.control('state', { state: 'carries', all: true, until: NOW_MS + 300, books: ['B'], lost: {} })
  segment(folder, 5_000, start, 'machine', 'kalshi-0-1').close()
  const times = [...lastSeenIn(folder, 'a').kalshi].map(([book, { untilMs }]) => [book, untilMs - NOW_MS])
  expect(times).toEqual([['B', 300]])
})

test('segments of a replay or of another recorder set no last-seen times', () => {
  const folder = folders.make()
  segment(folder, 0, (writer) => carries(writer, ['A']), 'replay')
  expect(lastSeenIn(folder, 'a').kalshi.size).toBe(0)
  segment(folder, 5_000, (writer) => carries(writer, ['A']))
  expect(lastSeenIn(folder, 'b').kalshi.size).toBe(0)
  expect(lastSeenIn(folder, 'a').kalshi.size).toBe(1)
})

test('a frame without a time of its own does not count: data sent before it may have been lost', () => {
  const write = (writer: SegmentWriter) => {
    carries(writer, ['A'])
    writeFrame(writer, 900, 1_000)
    writeFrame(writer, 700, 1_400)
    writeFrame(writer, null, 2_000)
  }
  expect(lastSeenAfter([0, write])).toEqual({ A: 900 })
  const untimed = (writer: SegmentWriter) => {
    carries(writer, ['A'])
    writeFrame(writer, null, 2_000)
  }
  expect(lastSeenAfter([0, untimed])).toEqual({ A: 0 })
})

test('a book from REST does not show what the socket received', () => {
  const write = (writer: SegmentWriter) => {
    carries(writer, ['A', 'B'])
    writeFrame(writer, 900, 1_000)
    writer.rest(JSON.stringify({ asset_id: 'A', timestamp: String(NOW_MS + 3_000) }), ns(4_000))
  }
  expect(lastSeenAfter([0, write])).toEqual({ A: 900, B: 900 })
})

test('a standby socket, and gaps written without a socket, do not change last-seen times', () => {
  const first = (writer: SegmentWriter) => {
    carries(writer, ['A', 'B'])
    writeFrame(writer, 1_000, 1_000)
  }
  const standby = (writer: SegmentWriter) => {
    writer.control('state', { state: 'standby' })
    writeFrame(writer, 5_000, 5_000)
  }
  expect(lastSeenAfter([0, first], [4_000, standby])).toEqual({ A: 1_000, B: 1_000 })
  expect(lastSeenAfter([0, first], [4_000, (writer) => writer.gap(gapOf('A'))])).toEqual({ A: 1_000, B: 1_000 })
  const takesOver = (writer: SegmentWriter) => {
    standby(writer)
    writer.control('state', { state: 'carries', all: true, books: ['A', 'B'], lost: { B: NOW_MS + 1_000 } })
    writeFrame(writer, 6_000, 6_000)
  }
  expect(lastSeenAfter([0, first], [4_000, takesOver])).toEqual({ A: 6_000, B: 1_000 })
})

test('a segment is read from the last line that lists all books it carries', () => {
  const folder = folders.make()
  segment(folder, 0, (writer) => {
    carries(writer, ['GONE'])
    writer.flush()
    for (let i = 0; i < 100; i++) {
      writeFrame(writer, i, i)
      writer.flush()
    }
    writer.control('state', { state: 'carries', all: true, books: ['A', 'B'], lost: { B: NOW_MS + 7 } })
    writer.flush()
    writer.control('state', { state: 'drops', books: ['A'] })
    writer.flush()
    writer.control('state', { state: 'carries', books: ['C'], lost: {} })
  })
  expect([...lastSeenIn(folder, 'a').kalshi].map(([book, { untilMs }]) => [book, untilMs - NOW_MS])).toEqual([
    ['B', 7],
    ['C', 99],
  ])
})

test('an earlier loss of a book does not count once the book was dropped and is carried again', () => {
  const write = (writer: SegmentWriter) => {
    carries(writer, ['A', 'B'], { A: NOW_MS + 500 })
    writer.control('state', { state: 'drops', books: ['A'] })
    carries(writer, ['A'])
    writeFrame(writer, 2_000, 2_000)
  }
  expect(lastSeenAfter([0, write])).toEqual({ A: 2_000, B: 2_000 })
})

test('a gap that was written in part continues from the end of that part', () => {
  const { msg, ...gap } = gapOf('A')
  const write = (writer: SegmentWriter) => {
    carries(writer, ['A'], { A: NOW_MS + 500 })
    writer.gap({ ...gap, msg: { ...msg, to: NOW_MS + 1_500, closed_by: 'end' } })
    writeFrame(writer, 2_000, 2_000)
  }
  expect(lastSeenAfter([0, write])).toEqual({ A: 1_500 })
})

const snapshotOf = (writer: SegmentWriter, ticker: string, receivedMs: number) =>
  writer.frame(JSON.stringify({ type: 'orderbook_snapshot', msg: { market_ticker: ticker } }), ns(receivedMs), 0n)

test('a book is complete at least up to the ms in which its snapshot arrived', () => {
  const write = (writer: SegmentWriter) => {
    writer.control('state', { state: 'carries', all: true, until: NOW_MS, ours: true, books: ['A', 'B'], lost: {} })
    snapshotOf(writer, 'A', 40)
    writeFrame(writer, 60, 80)
    snapshotOf(writer, 'B', 120)
  }
  expect(lastSeenAfter([0, write])).toEqual({ A: 60, B: 121 })
})

test('messages may be missing before a book from REST: the socket did not send it', () => {
  const folder = folders.make()
  segment(folder, 0, (writer) => {
    const all = { state: 'carries', all: true, until: NOW_MS, books: ['A', 'B', 'C', 'D'] }
    writer.control('state', { ...all, lost: { C: NOW_MS + 50 }, before: { C: NOW_MS - 30, D: NOW_MS } })
    frame(writer, 20)
    snapshotOf(writer, 'A', 40)
    writer.rest('{}', ns(50), 'A')
    writer.rest('{}', ns(60), 'B')
    snapshotOf(writer, 'B', 70)
    snapshotOf(writer, 'D', 80)
  })
  const times = [...lastSeenIn(folder, 'a').kalshi].map(([book, { untilMs, beforeMs }]) => [book, untilMs, beforeMs])
  expect(times).toEqual([
    ['A', NOW_MS + 51, NOW_MS + 20],
    ['B', NOW_MS + 71, undefined],
    ['C', NOW_MS + 50, NOW_MS - 30],
    ['D', NOW_MS + 81, undefined],
  ] as never)
})

test('a snapshot of the previous hour counts if the socket received no time since', () => {
  const write = (writer: SegmentWriter) => {
    const snapshots = { A: NOW_MS + 40 }
    writer.control('state', { state: 'carries', all: true, until: NOW_MS, books: ['A', 'B'], lost: {}, snapshots })
  }
  expect(lastSeenAfter([0, write])).toEqual({ A: 41, B: 0 })
})

test('the venue’s time counts, even if our clock is behind or our opening of the socket is later', () => {
  const opens = (writer: SegmentWriter) =>
    writer.control('state', { state: 'carries', all: true, until: NOW_MS, ours: true, books: ['A'], lost: {} })
  const behind = (writer: SegmentWriter) => {
    opens(writer)
    writeFrame(writer, 900, 600)
  }
  expect(lastSeenAfter([0, behind])).toEqual({ A: 900 })
  const ahead = (writer: SegmentWriter) => {
    opens(writer)
    writeFrame(writer, -1_900, 100)
  }
  expect(lastSeenAfter([0, ahead])).toEqual({ A: -1_900 })
})

test('a Polymarket book that changed long ago does not date its connection', () => {
  const folder = folders.make()
  const header = {
    venue: 'polymarket',
    recorder: 'a',
    connection: 'polymarket-1-1',
    url: 'ws://x',
    version: '0',
  } as const
  const writer = new SegmentWriter(folder, { ...header, useYesPrice: null, clock: 'machine' }, () => ns(0))
  writer.control('state', { state: 'carries', all: true, until: NOW_MS, ours: true, books: ['1', '2'], lost: {} })
  const book = { event_type: 'book', asset_id: '1', timestamp: String(NOW_MS - 600_000), bids: [], asks: [] }
  writer.frame(JSON.stringify(book), ns(30), 0n)
  writer.flush()
  const untilMs = [...lastSeenIn(folder, 'a').polymarket].map(([token, seen]) => [token, seen.untilMs - NOW_MS])
  expect(untilMs).toEqual([
    ['1', 31],
    ['2', 0],
  ])
})

test('a snapshot from a standby socket comes between two gaps', () => {
  const folder = folders.make()
  segment(folder, 0, (writer) => {
    const lost = { B: NOW_MS + 100, C: NOW_MS + 9_000 }
    writer.control('state', { state: 'carries', all: true, until: NOW_MS, books: ['A', 'B', 'C', 'D'], lost })
    frame(writer, 400)
  })
  segment(folder, 4_000, (writer) => {
    writer.control('state', { state: 'standby' })
    snapshotOf(writer, 'A', 4_500)
    for (const market of ['B', 'C']) {
      const { msg, ...gap } = gapOf(market)
      writer.gap({ ...gap, msg: { ...msg, from: NOW_MS + 100, to: NOW_MS + 4_600 } })
    }
    snapshotOf(writer, 'B', 4_600)
  })
  const times = [...lastSeenIn(folder, 'a').kalshi].map(([book, { untilMs, beforeMs }]) => [book, untilMs, beforeMs])
  expect(times).toEqual([
    ['A', NOW_MS + 4_501, NOW_MS + 400],
    ['B', NOW_MS + 4_601, NOW_MS + 400],
    ['C', NOW_MS + 9_000, undefined],
    ['D', NOW_MS + 400, undefined],
  ] as never)
})
