// An answer that is taken apart while it comes, however it is cut.

import { expect, test } from 'bun:test'
import { type Bucket, readSummary } from '../../../../src/commands/questions/summary-answer.ts'

const candle = { open: 0.1, high: null, low: 0.1, close: 0.1 }
const bucket = (timestamp: number) => ({ timestamp, quote_count: 1, best_bid: null, best_bid_ohlc: candle })
const answer = (count: number) => ({
  market_ticker: 'K',
  date: null,
  data_points: count,
  data: Array.from({ length: count }, (_, i) => bucket(i)),
})

async function* cut(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

test.each([
  [0, 1],
  [0, 1_000],
  [1, 1],
  [1, 7],
  [5, 1],
  [5, 13],
  [5, 100],
  [5, 10_000],
])('%d buckets in pieces of %d bytes', async (count, size) => {
  const { head, buckets } = await readSummary(cut(JSON.stringify(answer(count)), size))
  const all: unknown[] = []
  for await (const some of buckets) all.push(...(some satisfies Bucket[]))
  const { data, ...expected } = answer(count)
  expect(head).toEqual(expected)
  expect(all).toEqual(data)
})

test('an answer that breaks off is no answer', async () => {
  const { buckets } = await readSummary(cut(JSON.stringify(answer(5)).slice(0, -9), 50))
  const read = async () => {
    for await (const _ of buckets);
  }
  expect(await read().catch((error: Error) => error.message)).toBe('an answer comes to its end')
})
