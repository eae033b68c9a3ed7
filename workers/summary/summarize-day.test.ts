// long: whole days go through several formats
// Buckets made of rollups equal those of a replay of the records, to the last digit.

import { describe, expect, test } from 'bun:test'
import { DAY_MS } from '../../storage/units.ts'
import { collectLines } from '../../test/support/collected.ts'
import { MemoryPartition } from '../../test/support/stored-partition.ts'
import type { StoredPartition } from '../partition/partition-types.ts'
import { Random } from '../synthetic/random.ts'
import { BucketBuilder } from './bucket-builder.ts'
import { ALL_CANDLES, BucketColumns, type Candle } from './bucket-columns.ts'
import { BucketGrid } from './bucket-grid.ts'
import { planDay } from './plan-day.ts'
import { decodeRollup, encodeRollup } from './rollup-codec.ts'
import { DaySummary } from './summarize-day.ts'

const NOON = Date.parse('2026-08-10T12:00:00Z')
const ASSETS = ['101', '202']
const CONDITION = `0x${'ab'.repeat(32)}`

/** Returns changes of two books, with snapshots, gaps, silences and dense seconds. */
function twoBooks(count: number, seed: number): string[] {
  const random = new Random(seed, 'two books')
  let ms = NOON
  return Array.from({ length: count }, (_, i) => {
    ms += random.pick([0, 0, 0, 1, 5, 30, random.chance(0.01) ? random.below(400_000) : 2])
    const at = { market: CONDITION, timestamp: String(ms) }
    // For long stretches, only one of the books has quotes.
    const asset = ASSETS[Math.floor(i / 6_000) % 3 === 1 ? 0 : random.below(2)]!
    const price = () => (0.01 * (1 + random.below(98))).toFixed(2)
    if (i < 2 || random.chance(0.002)) {
      const levels = (from: number) =>
        Array.from({ length: 3 }, (_, l) => ({
          price: (0.01 * (from + l)).toFixed(2),
          size: String(1 + random.below(90)),
        }))
      return JSON.stringify({
        event_type: 'book',
        asset_id: i < 2 ? ASSETS[i] : asset,
        ...at,
        bids: levels(40),
        asks: levels(60),
      })
    }
    if (random.chance(0.001)) {
      const msg = { reason: 'test', from: ms, to: ms + 1 }
      const book = random.chance(0.5) ? { asset_id: asset } : {}
      return JSON.stringify({
        recv_ms: ms,
        event: { type: 'gap', venue: 'polymarket', market: CONDITION, ...book, msg },
      })
    }
    const change = {
      asset_id: asset,
      price: price(),
      size: String(random.below(3) * 7.25),
      side: random.pick(['BUY', 'SELL']),
    }
    return JSON.stringify({ event_type: 'price_change', ...at, price_changes: [change] })
  })
}

function bucketsOf(
  stored: StoredPartition,
  book: string,
  range: { fromMs: number; toMs: number; resolutionSeconds: number },
  candles: readonly Candle[] = ALL_CANDLES,
) {
  const builder = new BucketBuilder(new BucketGrid(range.resolutionSeconds), range, new BucketColumns(64), candles)
  const bookIndex = stored.head.books.findIndex(({ id }) => id === book)
  const plan = planDay(stored.head, bookIndex, range)
  const key = { venue: 'polymarket', market: CONDITION, date: '2026-08-10' } as const
  const day = { key, head: stored.head, books: () => stored.books, bytes: stored.bytes }
  const summary = new DaySummary(day, plan, { book, toMs: range.toMs }, builder)
  builder.begin(summary.startingTop())
  summary.addTo()
  const columns = builder.finish()
  const rows = Array.from({ length: columns.count }, (_, i) => ({
    number: columns.numbers[i],
    quotes: columns.quoteCounts[i],
    top: [columns.bids[i], columns.bidSizes[i], columns.asks[i], columns.askSizes[i]],
    candles: candles.map((at) => [...columns.candles.subarray(16 * i + at, 16 * i + at + 4)]),
  }))
  return { rows, rollups: plan.pieces.filter(({ kind }) => kind === 'rollup').length }
}

function grownBy(lines: string[], size: number): StoredPartition {
  const memory = new MemoryPartition()
  for (let i = 0; i < lines.length; i += size) {
    for (const collected of collectLines(lines.slice(i, i + size))) memory.add(collected)
  }
  return memory.stored!
}

describe.each([
  [1, 40_000],
  [2, 9_000],
  [3, 3_000],
])('capture %p in pieces of %p', (seed, size) => {
  const stored = grownBy(twoBooks(40_000, seed), size)
  const { head } = stored
  const plain: StoredPartition = { ...stored, head: { ...head, rollups: [] } }
  const random = new Random(seed, 'windows')

  test('has rollups', () => expect(head.rollups.length).toBeGreaterThan(0))

  test('windows of any length, at any place, at any resolution', () => {
    let rollups = 0
    for (let i = 0; i < 400; i++) {
      const fromMs = head.firstMs - 90_000 + random.below(head.lastMs - head.firstMs + 180_000)
      const lengthMs = random.below(random.pick([900, 70_000, 4_000_000, DAY_MS]))
      const toMs = random.chance(0.3) ? Math.floor((fromMs + lengthMs) / 60_000) * 60_000 - 1 : fromMs + lengthMs
      if (toMs < fromMs) continue
      const range = { fromMs, toMs, resolutionSeconds: random.pick([1, 7, 60, 90, 300, 3_600]) }
      const book = random.pick(ASSETS)
      const candles = random.chance(0.5) ? ALL_CANDLES : ALL_CANDLES.filter(() => random.chance(0.4))
      const actual = bucketsOf(stored, book, range, candles)
      rollups += actual.rollups
      const { rows } = bucketsOf(plain, book, range, candles)
      if (!Bun.deepEquals(actual.rows, rows)) {
        expect<unknown>({ range, book, candles, rows: actual.rows }).toEqual({ range, book, candles, rows })
      }
    }
    expect(rollups).toBeGreaterThan(50)
  })

  test('the rows come back as they were written', () => {
    for (const { id, minutes } of head.rollups) {
      minutes.forEach((count, book) => {
        if (count === 0) return
        const bytes = stored.bytes({ kind: 'minutes', id, book })
        expect(encodeRollup(decodeRollup(bytes))).toEqual(bytes)
      })
    }
  })
})
