// Pages of trades follow each other without a gap or a repetition, also where the last page ends within a block.

import { expect, test } from 'bun:test'
import type { BlockEntry } from '../../storage/format/partition-head.ts'
import { kalshiDelta, kalshiTrade, NOON, received, TICKER } from '../../test/model/lines.ts'
import { type TestStore, withStore } from '../../test/support/store.ts'
import type { Position, TradesRequest } from '../requests.ts'
import { readTrades, tradeCount } from './trades-page.ts'

const COUNT = 25
const trade = (i: number) => {
  const of = kalshiTrade(1_000 * i, `t${i}`)
  return { ...of, msg: { ...of.msg, yes_price_dollars: '0.5', count_fp: `${i + 1}`, taker_side: 'yes' } }
}
const lines = Array.from({ length: COUNT }, (_, i) => [
  received(1_000 * i, trade(i)),
  received(1_000 * i + 1, kalshiDelta(1_000 * i + 1, '0.4', '1')),
]).flat()

async function pageOf(store: TestStore, of: Partial<TradesRequest>) {
  const request: TradesRequest = {
    venue: 'kalshi',
    market: TICKER,
    book: null,
    fromMs: NOON,
    toMs: NOON + 86_400_000,
    after: null,
    limit: 100,
    ...of,
  }
  const { blocks, count, next } = await readTrades(store.store, request)
  const sizes = [...blocks].flatMap((block) =>
    [...block.trades.sizes.subarray(0, block.count)].map((size) => size / 1e6),
  )
  expect(sizes).toHaveLength(count)
  return { sizes, next }
}

test.each([1, 7, 24, 25, 26])('pages of %d trades', (limit) =>
  withStore(async (store) => {
    for (let i = 0; i < lines.length; i += 12)
      await store.loadLines(
        `${i}.ndjson`,
        lines.slice(i, i + 12).map((line) => JSON.stringify(line)),
      )
    const all: number[] = []
    let after: Position | null = null
    do {
      const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(store, { limit, after })
      expect(page.sizes.length).toBe(Math.min(limit, COUNT - all.length))
      all.push(...page.sizes)
      after = page.next
    } while (after !== null)
    expect(all).toEqual(Array.from({ length: COUNT }, (_, i) => i + 1))
    const some = await pageOf(store, { fromMs: NOON + 3_000, toMs: NOON + 5_999 })
    expect([some.sizes, some.next]).toEqual([[4, 5, 6], null])
    expect((await pageOf(store, { toMs: NOON + 7_999 })).sizes).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect((await pageOf(store, { book: 'other' })).sizes).toEqual([])
  }),
)

test('trades of a block: of one book, or of all and of none', () => {
  const entry = { tradeCounts: [1, 2, 4] } as BlockEntry
  expect([tradeCount(entry, null), tradeCount(entry, 0), tradeCount(entry, 2), tradeCount(entry, 5)]).toEqual([
    7, 1, 4, 0,
  ])
})
