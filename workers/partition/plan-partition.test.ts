// long: many appends, each compared with a load at once
// A partition that grows in pieces equals one from a single load. At every step, everything stored besides the records
// equals what a replay from the start gives.

import { describe, expect, test } from 'bun:test'
import { checkedBody, decodeBlock } from '../../storage/format/block.ts'
import { unpack } from '../../storage/format/columns/packed.ts'
import { seeds } from '../../test/run/effort.ts'
import { collectLines } from '../../test/support/collected.ts'
import { MemoryPartition } from '../../test/support/stored-partition.ts'
import { RandomCapture } from '../../test/workers/load/random-capture.ts'
import { decodeWholeBlock } from '../block/decoded-block.ts'
import { decodeBooks } from '../book/book-state.ts'
import { ASK, BID } from '../book/ladder.ts'
import { ByteWriter } from '../bytes/byte-writer.ts'
import { Random } from '../synthetic/random.ts'
import { RecordWriter } from '../table/record-writer.ts'
import { partitionDamage } from '../verify/check-partition.ts'
import type { CollectedPartition } from './collected-partition.ts'
import type { StoredPartition } from './partition-types.ts'
import { replanPartition } from './plan-partition.ts'

const NOON = Date.parse('2026-08-10T12:00:00Z')
const TICKER = 'KXPLAN-1'

/** Returns a snapshot of a Kalshi market, then deltas, some of them at the same time. */
function kalshiLines(count: number, seed = 1): string[] {
  const random = new Random(seed, 'plan')
  let ms = NOON
  return Array.from({ length: count }, (_, i) => {
    ms += random.pick([0, 0, 1, 20, 400])
    const at = { market_ticker: TICKER, ts: new Date(ms).toISOString() }
    if (i === 0) {
      return line('orderbook_snapshot', i, { market_ticker: TICKER, yes_dollars_fp: [['0.4000', '10.00']] }, ms)
    }
    const price = `0.${String(10 + random.below(80)).padStart(2, '0')}00`
    const change = { price_dollars: price, delta_fp: `${random.below(300)}.00`, side: random.pick(['yes', 'no']) }
    if (random.chance(0.05)) {
      return line(
        'trade',
        i,
        { ...at, yes_price_dollars: price, count_fp: '1.00', taker_side: 'yes', trade_id: `t${i}` },
        ms,
      )
    }
    return line('orderbook_delta', i, { ...at, ...change, ts_ms: ms }, ms)
  })
}

const line = (type: string, seq: number, msg: object, recvMs: number) =>
  JSON.stringify({ recv_ms: recvMs, event: { type, sid: 1, seq, msg } })

const only = (lines: string[]): CollectedPartition => collectLines(lines)[0]!

function recordsOf({ key }: CollectedPartition, { head, bytes }: StoredPartition): string[] {
  return head.blocks.flatMap(({ id }) => {
    const block = decodeWholeBlock(decodeBlock(bytes({ kind: 'block', id, book: 0 })))
    const records = new RecordWriter(key.venue, key.market, block)
    return Array.from({ length: block.recordCount }, (_, record) => {
      const writer = new ByteWriter(256)
      records.write(writer, record)
      return new TextDecoder().decode(writer.bytes.subarray(0, writer.length))
    })
  })
}

const levelsOf = (bytes: Uint8Array | null) =>
  bytes && decodeBooks(bytes).map(({ id, book }) => [id, book.trust, book.levels(BID), book.levels(ASK)])

function expectSame(collected: CollectedPartition, one: StoredPartition, other: StoredPartition): void {
  expect(recordsOf(collected, one)).toEqual(recordsOf(collected, other))
  expect(one.head.books).toEqual(other.head.books)
  expect(one.head.gaps).toEqual(other.head.gaps)
  expect(one.head.inferredGaps).toEqual(other.head.inferredGaps)
  expect(levelsOf(one.books.closing)).toEqual(levelsOf(other.books.closing))
}

describe('appending', () => {
  test.each([1, 7, 64, 700])('%p records at a time is one load', (size) => {
    const lines = kalshiLines(size === 1 ? 300 : 9_000)
    const grown = new MemoryPartition()
    for (let i = 0; i < lines.length; i += size) expect(grown.add(only(lines.slice(i, i + size)))).toBeTrue()
    const whole = new MemoryPartition()
    whole.add(only(lines))
    expectSame(only(lines), grown.stored!, whole.stored!)
    expect(partitionDamage(only(lines).key, grown.stored!, null)).toEqual([])
    expect(partitionDamage(only(lines).key, whole.stored!, null)).toEqual([])
  })

  test('has few small blocks, and no part without a reference', () => {
    const lines = kalshiLines(40_000)
    const grown = new MemoryPartition()
    for (let i = 0; i < lines.length; i += 50) grown.add(only(lines.slice(i, i + 50)))
    const { head } = grown.stored!
    expect(head.blocks.filter(({ recordCount }) => recordCount === 16_384)).toHaveLength(2)
    expect(head.blocks.length).toBeLessThan(2 + 3 + 3 * 8)
    const rollups = head.rollups.flatMap(({ minutes, seconds }) => [...minutes, ...(seconds ?? [])]).filter(Boolean)
    expect(grown.parts.size).toBe(2 * head.blocks.length - 1 + rollups.length)
    expect(partitionDamage(only(lines).key, grown.stored!, null)).toEqual([])
  })

  test('stores states without the names of their keys', () => {
    const grown = new MemoryPartition()
    grown.add(only(kalshiLines(300)))
    const state = unpack(checkedBody(grown.stored!.books.closing!))
    const names = [
      'trust',
      'heights',
      'recordCount',
      'tradeVolume',
      'bidSize',
      'quality',
      'seqs',
      'hashesChecked',
      'timeMs',
    ]
    expect(names.filter((name) => Buffer.from(state).includes(name))).toEqual([])
  })

  test('touches a few parts', () => {
    const lines = kalshiLines(20_000)
    const grown = new MemoryPartition()
    grown.add(only(lines.slice(0, 19_900)))
    const before = new Set(grown.parts.keys())
    grown.add(only(lines.slice(19_900, 19_920)))
    expect([...grown.parts.keys()].filter((name) => !before.has(name))).toHaveLength(2)
  })

  test('joins rollups, and keeps them correct', () => {
    const lines = kalshiLines(90_000)
    const grown = new MemoryPartition()
    for (let i = 0; i < lines.length; i += 4_096) grown.add(only(lines.slice(i, i + 4_096)))
    expect(grown.stored!.head.rollups.length).toBeLessThan(10)
    expect(partitionDamage(only(lines).key, grown.stored!, null)).toEqual([])
  })
})

describe('any captures', () => {
  test.each(seeds(1, 8, 60))('%p, one after the other', (seed) => {
    const random = new Random(seed, 'pieces')
    const partitions = new Map<string, { collected: CollectedPartition; memory: MemoryPartition }>()
    const capture = new RandomCapture(seed, seed % 2 === 0)
    const lines = capture.lines(random.pick([40, 200, 600]))
    for (let pieces = 0; pieces < 5; pieces++) {
      const from = random.below(lines.length)
      const piece = lines.slice(from, from + 1 + random.below(lines.length))
      for (const collected of collectLines(piece)) {
        const name = JSON.stringify(collected.key)
        const known = partitions.get(name) ?? { collected, memory: new MemoryPartition() }
        partitions.set(name, known)
        known.memory.add(collected)
        expect(partitionDamage(collected.key, known.memory.stored!, null)).toEqual([])
        expect(known.memory.add(collected)).toBeFalse()
      }
    }
    for (const { collected, memory } of partitions.values()) {
      // Continues the partition from the closing books of another day.
      const closing = [...partitions.values()].at(-1)!.memory.stored!.books.closing
      memory.apply(replanPartition(collected.key, memory.stored!, () => closing, 0))
      expect(partitionDamage(collected.key, memory.stored!, closing)).toEqual([])
    }
  })
})
