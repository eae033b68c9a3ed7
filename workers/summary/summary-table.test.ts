// The chunks of a summary are one JSON array, wherever the chunks are cut.

import { expect, test } from 'bun:test'
import { tableText } from '../table/table-text.ts'
import { rankOf } from '../trust/trust-steps.ts'
import { BucketColumns } from './bucket-columns.ts'
import { BucketGrid } from './bucket-grid.ts'
import { summaryTable } from './summary-table.ts'

const grid = new BucketGrid(1)
const FIRST = grid.numberAt(Date.parse('2026-07-20'))

// Every seventh bucket has a quote; every eleventh of those has an empty side.
function someBuckets(count: number): BucketColumns {
  const columns = new BucketColumns(10)
  for (let number = 0; number < count; number += 7) {
    const index = columns.open(FIRST + number)
    const hasBid = number % 77 !== 0
    columns.quoteCounts[index] = 1 + (number % 12)
    columns.bids[index] = hasBid ? 400_000 + 100 * (number % 300) : -1
    columns.bidSizes[index] = hasBid ? 10_000 * number : 0
    columns.asks[index] = 450_000
    columns.askSizes[index] = 1_000_000
    if (hasBid) columns.candles.fill(columns.bids[index]!, 16 * index, 16 * index + 4)
    columns.candles.fill(450_000, 16 * index + 4, 16 * index + 8)
  }
  return columns
}

function bucketsOf(count: number, timestampUnit: 'ms' | 's') {
  // The last third has another trust: a bucket carried over the change is written twice, once before and once after it.
  const third = FIRST + Math.ceil((2 * count) / 3)
  const runs = [
    { first: FIRST, last: third - 1, trust: rankOf('established') },
    { first: third, last: FIRST + count - 1, trust: rankOf('doubtful') },
  ].filter(({ first, last }) => first <= last)
  const buckets = { columns: someBuckets(count), runs, grid, isObservedOnly: false }
  const table = summaryTable(buckets, { constants: [], timestampUnit })
  // Collects all chunks: a chunk belongs to the reader and must not change while the next is written.
  const chunks = [...tableText(table, 'json')]
  return { chunks, buckets: JSON.parse(Buffer.concat(chunks).toString()) }
}

test.each(['ms', 's'] as const)('a bucket after the other over many chunks, in %s', (unit) => {
  const { chunks, buckets } = bucketsOf(5_000, unit)
  expect(chunks.length).toBeGreaterThan(5)
  expect(buckets.length).toBe(5_000)
  for (let i = 0; i < 5_000; i++) {
    const last = i - (i % 7)
    const hasBid = last % 77 !== 0
    const bid = hasBid ? (4_000 + (last % 300)) / 10_000 : null
    expect(buckets[i]).toMatchObject({
      timestamp: (Date.parse('2026-07-20') + 1_000 * i) / (unit === 's' ? 1_000 : 1),
      quote_count: last === i ? 1 + (i % 12) : 0,
      is_forward_filled: last !== i,
      best_bid: bid,
      best_bid_size: hasBid ? last / 100 : 0,
      best_ask: 0.45,
      best_ask_size: 1,
      best_bid_ohlc: { open: bid, high: bid, low: bid, close: bid },
      best_ask_ohlc: { open: 0.45, high: 0.45, low: 0.45, close: 0.45 },
      trust: i < Math.ceil(10_000 / 3) ? 'established' : 'doubtful',
    })
  }
})

test('an answer of a few buckets is a buffer of its own length', () => {
  const { chunks } = bucketsOf(3, 'ms')
  expect(chunks.length).toBe(1)
  expect(chunks[0]!.buffer.byteLength).toBe(chunks[0]!.length)
})

test('no bucket is an empty array', () => {
  const { chunks } = bucketsOf(0, 'ms')
  expect(Buffer.concat(chunks).toString()).toBe('[]')
})
