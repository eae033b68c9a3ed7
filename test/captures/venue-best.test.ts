// The top of a rebuilt book has the best prices that the venue itself states with its changes.

import { describe, expect, test } from 'bun:test'
import { syntheticDay } from '../../workers/synthetic/synthetic-day.ts'
import { hasCaptures } from '../support/captures.ts'
import { type TestStore, withStore } from '../support/store.ts'
import { FED, type JsonObject, linesOf, marketsOf, messagesOf } from './capture-text.ts'

type Bucket = { timestamp: number; best_bid: number | null; best_ask: number | null }

/** Returns the last best prices that the venue stated for each book, in each second with changes that state them. */
function statedBest(lines: string[]): Map<string, { bid: number; ask: number; second: number }[]> {
  const stated = new Map<string, { bid: number; ask: number; second: number }[]>()
  for (const message of lines.flatMap(messagesOf)) {
    for (const entry of (message['price_changes'] as JsonObject[] | undefined) ?? []) {
      if (typeof entry['best_bid'] !== 'string') continue
      const book = `${message['market']} ${entry['asset_id']}`
      const second = Math.floor(Number(message['timestamp']) / 1_000) * 1_000
      const best = { bid: Number(entry['best_bid']), ask: Number(entry['best_ask']), second }
      const before = stated.get(book) ?? []
      if (before.at(-1)?.second === second) before[before.length - 1] = best
      else before.push(best)
      stated.set(book, before)
    }
  }
  return stated
}

/** Returns how many of the stated tops agree with the summary at 1 s, and those that differ. */
async function compare(store: TestStore, lines: string[]): Promise<{ agree: number; differ: unknown[] }> {
  const differ: unknown[] = []
  let agree = 0
  for (const [name, stated] of statedBest(lines)) {
    const [market, book] = name.split(' ') as [string, string]
    const [fromMs, toMs] = [stated[0]!.second, stated.at(-1)!.second + 999]
    const request = { venue: 'polymarket', market, book, fromMs, toMs, resolutionSeconds: 1 } as const
    const buckets = (await store.summary({ ...request, fill: 'none', nowMs: toMs, timestampUnit: 'ms' })) as Bucket[]
    const bySecond = new Map(buckets.map((bucket) => [bucket.timestamp, bucket]))
    for (const { bid, ask, second } of stated) {
      const bucket = bySecond.get(second)
      const isSame = (bucket?.best_bid ?? 0) === bid && (bucket?.best_ask ?? 1) === ask
      if (bucket !== undefined && isSame) agree++
      else differ.push({ book, second, bid, ask, bucket })
    }
  }
  return { agree, differ }
}

describe('best prices', () => {
  test.skipIf(!hasCaptures)('of the real books', async () => {
    await withStore(async (store) => {
      const lines = linesOf(FED)
      await store.loadLines('fed.ndjson', lines)
      const { agree, differ } = await compare(store, lines)
      expect(differ).toEqual([])
      expect(agree).toBeGreaterThan(10)
    })
  })

  test('of a synthetic day', async () => {
    await withStore(async (store) => {
      const day = syntheticDay({ date: '2026-08-10', kalshiRecords: 100, polymarketRecords: 4_000 })
      const lines = [...day.polymarketLines]
      const report = await store.loadLines('day.ndjson', lines)
      expect(report).toMatchObject({ rejected: 0, error: null })
      expect((await marketsOf(store)).length).toBeGreaterThan(0)
      const { agree, differ } = await compare(store, lines)
      expect(differ.slice(0, 3)).toEqual([])
      expect(agree).toBeGreaterThan(500)
    })
  })
})
