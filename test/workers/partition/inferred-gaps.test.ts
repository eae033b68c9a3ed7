// A reconnect that no record reports is in the head, however the day was loaded, and `verify` compares it.

import { describe, expect, test } from 'bun:test'
import type { InferredGap } from '../../../storage/format/partition-head.ts'
import type { CollectedPartition } from '../../../workers/partition/collected-partition.ts'
import { partitionDamage } from '../../../workers/verify/check-partition.ts'
import { collectLines } from '../../support/collected.ts'
import { MemoryPartition } from '../../support/stored-partition.ts'

const NOON = Date.parse('2026-08-10T12:00:00Z')
const TICKER = 'KXLOST-1'
const PIECE = 40

const line = (type: string, seq: number, ms: number, msg: object) =>
  JSON.stringify({ recv_ms: ms, event: { type, sid: 1, seq, msg: { market_ticker: TICKER, ...msg } } })

const level = (index: number, size: string): [string, string] => [`0.${10 + index}00`, size]

/** A snapshot, then one delta a second to its ten levels; after 60 s and a pause of 12 s, a new connection, whose
 *  snapshot has `changed` levels that no message reported. */
function reconnect(changed: number): string[] {
  const delta = (seq: number, ms: number) =>
    line('orderbook_delta', seq, ms, {
      ...{ ts: new Date(ms).toISOString(), ts_ms: ms, side: 'yes', delta_fp: '1.00' },
      price_dollars: level(seq % 10, '')[0],
    })
  const first = Array.from({ length: 10 }, (_, i) => level(i, '10.00'))
  const second = Array.from({ length: 10 }, (_, i) => level(i, i < changed ? '99.00' : '16.00'))
  const restart = NOON + 72_000
  return [
    line('orderbook_snapshot', 1, NOON, { yes_dollars_fp: first }),
    ...Array.from({ length: 60 }, (_, i) => delta(i + 2, NOON + 1_000 * (i + 1))),
    line('orderbook_snapshot', 1, restart, { yes_dollars_fp: second }),
    ...Array.from({ length: 60 }, (_, i) => delta(i + 2, restart + 1_000 * (i + 1))),
  ]
}

const GAP: InferredGap = {
  book: 1,
  reason: 'sequence_restart',
  fromMs: NOON + 60_000,
  toMs: NOON + 72_000,
  levelsDiffering: 3,
}
const QUALITY = { snapshotsConfirmed: 0, snapshotsContradicted: 1, longestSilenceMs: 12_000 }

const only = (lines: string[]): CollectedPartition => collectLines(lines)[0]!

function grown(pieces: string[][]): MemoryPartition {
  const memory = new MemoryPartition()
  for (const piece of pieces) memory.add(only(piece))
  return memory
}

const piecesOf = (lines: string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(lines.length / size) }, (_, i) => lines.slice(i * size, (i + 1) * size))

describe('a reconnect', () => {
  test.each([1, 7, PIECE, 200])('appended %d records at a time', (size) => {
    const lines = reconnect(3)
    const { stored } = grown(piecesOf(lines, size))
    expect(stored!.head.inferredGaps).toEqual([GAP])
    expect(stored!.head.books[0]!.quality).toMatchObject(QUALITY)
    expect(partitionDamage(only(lines).key, stored!, null)).toEqual([])
  })

  test('whose snapshot differs in one level only: the book is confirmed, the silence is still reported', () => {
    const { head } = grown([reconnect(1)]).stored!
    expect(head.inferredGaps).toEqual([{ ...GAP, levelsDiffering: 1 }])
    expect(head.books[0]!.quality).toMatchObject({ snapshotsConfirmed: 1, snapshotsContradicted: 0 })
  })

  test('is counted again where records come between', () => {
    const [first, second, ...rest] = piecesOf(reconnect(3), PIECE)
    const { stored } = grown([[...first!, ...rest.flat()], second!])
    expect(stored!.head.inferredGaps).toEqual([GAP])
    expect(stored!.head.books[0]!.quality).toMatchObject(QUALITY)
  })

  test('without a snapshot yet is open', () => {
    const lines = reconnect(3).filter((_, i) => i !== 61)
    const { stored } = grown(piecesOf(lines, PIECE))
    expect(stored!.head.inferredGaps).toEqual([{ ...GAP, toMs: null, levelsDiffering: null }])
  })
})

describe('connections of two recorders in one day', () => {
  const header = (recorder: string) => JSON.stringify({ backbook: 'segment', recorder })
  /** Renumbers the lines, as a second recorder received them on a connection of its own. */
  const second = (lines: string[], seq: number) => lines.map((text, i) => text.replace(/"seq":\d+/, `"seq":${seq + i}`))

  test.each([1, 7, 200])('infer no restart, loaded %d records at a time', (size) => {
    const lines = reconnect(3)
    // Recorder one has the first connection. Recorder two has the second, which began before the first one ended.
    const memory = new MemoryPartition()
    for (const piece of piecesOf(lines.slice(0, 61), size)) memory.add(only([header('one'), ...piece]))
    for (const piece of piecesOf(second(lines.slice(62), 30), size)) memory.add(only([header('two'), ...piece]))
    const { stored } = memory
    expect(stored!.head.recordCount).toBe(121)
    expect(stored!.head.heard!.map(({ recorder }) => recorder)).toEqual(['one', 'two'])
    expect(stored!.head.inferredGaps).toEqual([])
    expect(partitionDamage(only(lines).key, stored!, null)).toEqual([])
  })

  test('infer no restart if the other one comes between; what its snapshot contradicts is reported', () => {
    const lines = reconnect(3)
    const memory = new MemoryPartition()
    memory.add(only([header('one'), ...lines.slice(0, 20), ...lines.slice(62)]))
    memory.add(only([header('two'), ...second(lines.slice(20, 62), 400)]))
    const { head } = memory.stored!
    expect(head.inferredGaps).toEqual([{ ...GAP, reason: 'snapshot_contradicts' }])
    expect(partitionDamage(only(lines).key, memory.stored!, null)).toEqual([])
  })

  test('of one recorder, in two segments: a step back is no restart; it writes gaps, its connections overlap', () => {
    const lines = reconnect(3)
    const { stored } = grown([lines.slice(0, 61), lines.slice(61)].map((piece) => [header('one'), ...piece]))
    expect(stored!.head.heard!.map(({ recorder }) => recorder)).toEqual(['one'])
    expect(stored!.head.inferredGaps).toEqual([{ ...GAP, reason: 'snapshot_contradicts' }])
    expect(partitionDamage(only(lines).key, stored!, null)).toEqual([])
  })

  test('infer no restart if a connection begins before the one before it ends', () => {
    const lines = reconnect(0)
    const [first, all] = [lines.slice(0, 61), lines]
    const other = second(all.slice(61), 1)
    const orders = [
      [first, other],
      [other, first],
    ]
    for (const order of orders) {
      const { head } = grown(order.map((piece) => [header('one'), ...piece])).stored!
      expect(head.inferredGaps).toEqual([])
    }
  })

  test('a capture without a recorder reports restarts until a recorder comes', () => {
    const lines = reconnect(3)
    const memory = new MemoryPartition()
    memory.add(only(lines))
    expect(memory.stored!.head.inferredGaps).toEqual([GAP])
    memory.add(only([header('one'), ...lines.slice(20, 40)]))
    expect(memory.stored!.head.inferredGaps).toEqual([{ ...GAP, reason: 'snapshot_contradicts' }])
    expect(partitionDamage(only(lines).key, memory.stored!, null)).toEqual([])
  })
})

describe('two captures of one feed, without recorders', () => {
  const lines = reconnect(0)
  /** Returns lines `from` to `to` as a second connection received them after a snapshot, with its own numbers. */
  const other = (from: number, to: number) => {
    const tenAt = Array.from({ length: 10 }, (_, i) =>
      level(i, `${10 + (from > 60 ? 6 : Math.floor((from - 1) / 10))}.00`),
    )
    const changes = lines.slice(from, to).filter((text) => !text.includes('snapshot'))
    const ms = JSON.parse(changes[0]!).recv_ms - 1
    return [line('orderbook_snapshot', 1, ms, { yes_dollars_fp: tenAt }), ...changes].map((text, i) =>
      text.replace(/"seq":\d+/, `"seq":${i + 1}`),
    )
  }
  const inBothOrders = (one: string[], two: string[]) =>
    [
      [one, two],
      [two, one],
    ].map((order) => {
      const { stored } = grown(order)
      expect(partitionDamage(only(lines).key, stored!, null)).toEqual([])
      return stored!.head.inferredGaps
    })

  test('one ends while the other continues: nothing is missing, in any order of loading', () => {
    expect(inBothOrders(lines.slice(0, 41), other(21, 61))).toEqual([[], []])
  })

  test('one reconnects while the other continues', () => {
    expect(inBothOrders(lines, other(21, lines.length))).toEqual([[], []])
  })

  test('one reconnects, and the other ends before that', () => {
    const gap = { ...GAP, levelsDiffering: 0 }
    expect(inBothOrders(lines, other(21, 61))).toEqual([[gap], [gap]])
  })

  test('both reconnect at the same time', () => {
    const gap = { ...GAP, levelsDiffering: 0 }
    const two = [...other(21, 61), ...other(62, lines.length)]
    expect(inBothOrders(lines, two)).toEqual([[gap], [gap]])
  })

  test('the snapshot of the second is that of the first, which reconnects after it', () => {
    const two = [...lines.slice(0, 61), ...lines.slice(62)].map((text, i) =>
      text.replace(/"seq":\d+/, `"seq":${i + 1}`),
    )
    expect(inBothOrders(lines, two)).toEqual([[], []])
  })
})

describe('a file in which captures are joined in the wrong order', () => {
  const snapshot = (ms: number, size = '10.00') =>
    line('orderbook_snapshot', 1, NOON + ms, { yes_dollars_fp: [level(0, size)] })
  const change = (ms: number, seq: number) =>
    line('orderbook_delta', seq, NOON + ms, {
      ...{
        ts: new Date(NOON + ms).toISOString(),
        ts_ms: NOON + ms,
        side: 'yes',
        delta_fp: '1.00',
        price_dollars: level(0, '')[0],
      },
    })
  const first = [snapshot(500), change(1_000, 2), change(2_000, 3)]
  const last = [snapshot(400_500, '40.00'), change(401_000, 2), change(402_000, 3)]
  const middle = [snapshot(300_500, '30.00'), change(301_000, 2), change(302_000, 3)]

  test('received nothing between its parts', () => {
    const [joined, other] = [
      [...last, ...first],
      [...first, ...middle],
    ]
    for (const order of [
      [joined, other],
      [other, joined],
    ]) {
      const { stored } = grown(order)
      const { inferredGaps } = stored!.head
      expect(inferredGaps.map(({ fromMs, toMs }) => [fromMs - NOON, toMs! - NOON])).toEqual([
        [2_000, 300_500],
        [302_000, 400_500],
      ])
      expect(partitionDamage(only(first).key, stored!, null)).toEqual([])
    }
  })
})

test('a head that differs from the blocks is damage', () => {
  const lines = reconnect(3)
  const { stored } = grown([lines])
  const damageWith = (changes: object) =>
    partitionDamage(only(lines).key, { ...stored!, head: { ...stored!.head, ...changes } }, null)
  expect(damageWith({ inferredGaps: [] })).toEqual(['head: its inferred gaps differ from the blocks'])
  const [book] = stored!.head.books
  for (const count of ['snapshotsConfirmed', 'hashesAgreed', 'hashesChecked']) {
    const books = [{ ...book, quality: { ...book!.quality, [count]: 1 } }]
    expect(damageWith({ books })).toEqual(['head: its books differ from the blocks'])
  }
})

test.each([1, 3])('a gap of the whole market leaves a day its opening book, %d records at a time', (size) => {
  const market = `0x${'ab'.repeat(32)}`
  const book = (ms: number) => {
    const sides = { bids: [{ price: '0.4', size: '5' }], asks: [{ price: '0.6', size: '5' }] }
    return JSON.stringify({ event_type: 'book', market, asset_id: '7', timestamp: String(ms), ...sides })
  }
  const next = NOON + 86_400_000
  const msg = { reason: 'reconnect', from: next, to: next + 1_000 }
  const gap = JSON.stringify({ type: 'gap', venue: 'polymarket', market, msg })
  const { closing } = grown([[book(NOON)]]).stored!.books
  const memory = new MemoryPartition()
  const lines = [gap, book(next + 2_000), book(next + 3_000)]
  for (const piece of piecesOf(lines, size)) memory.add(only(piece), closing)
  expect(memory.stored!.head.books[0]).toMatchObject({ id: '7', startsFrom: 'opening_book', snapshotCount: 2 })
  expect(partitionDamage(only(lines).key, memory.stored!, closing)).toEqual([])
})
