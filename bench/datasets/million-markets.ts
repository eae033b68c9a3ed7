// Makes a store with a million markets without records. Writes directly into it, because no capture has so many
// markets.

import type { MarketChange } from '../../storage/catalogue.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import { openStore } from '../../storage/open-store.ts'
import { dateStartMs, utcDate } from '../../storage/units.ts'
import type { Size } from '../topic.ts'
import { cached } from './cache.ts'
import { sourceKey } from './source-key.ts'

/** A store. `longMarket` has 400 dates, each other market has one. */
export type ManyMarkets = { data: string; marketCount: number; longMarket: string; ticker(index: number): string }

const COUNTS = { smoke: 2_000, full: 1_000_000 }
const MARKETS_A_TRANSACTION = 20_000
const LONG_MARKET = 'KXMANY-LONG'
const LONG_MARKET_DATES = 400
const DATE = '2026-07-20'

export async function millionMarkets(size: Size): Promise<ManyMarkets> {
  const marketCount = COUNTS[size]
  const key = [marketCount, sourceKey('storage', 'bench/datasets/million-markets.ts', 'bun.lock')]
  const data = await cached(`markets-${marketCount}`, key, async (folder) => {
    const store = openStore(folder)
    const { catalogue } = store
    for (let from = 0; from < marketCount; from += MARKETS_A_TRANSACTION) {
      const count = Math.min(MARKETS_A_TRANSACTION, marketCount - from)
      await catalogue.commit(Array.from({ length: count }, (_, i) => emptyMarket(ticker(from + i), [DATE])))
    }
    await catalogue.commit([emptyMarket(LONG_MARKET, lastDates(LONG_MARKET_DATES))])
    await store.flushed()
    await store.close()
  })
  return { data, marketCount: marketCount + 1, longMarket: LONG_MARKET, ticker }
}

/** Returns a ticker such as 'KXMANY-000042-T50'. */
const ticker = (index: number) => `KXMANY-${index.toString().padStart(6, '0')}-T50`

const lastDates = (count: number) =>
  Array.from({ length: count }, (_, i) => utcDate(dateStartMs(DATE) - i * 86_400_000))

/** Returns the change that adds a market with dates that have no records. */
export function emptyMarket(market: string, dates: string[]): MarketChange {
  const partitions = dates.map((date) => {
    const head = { ...EMPTY, firstMs: dateStartMs(date), lastMs: dateStartMs(date) }
    return { key: { venue: 'kalshi', market, date } as const, before: null, head, books: null, put: [], removed: [] }
  })
  return { venue: 'kalshi', market, revision: 0, partitions }
}

const EMPTY: PartitionHead = {
  ...{ version: 2, revision: 1, nextId: 1, recordCount: 0, tradeCount: 0, firstMs: 0, lastMs: 0 },
  ...{ blocks: [], rollups: [], books: [], gaps: [], inferredGaps: [], looseSnapshots: [], edits: [] },
}
