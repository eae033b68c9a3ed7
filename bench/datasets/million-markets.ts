// A store with a million markets, of which only that they are there is stored: written straight into it, since no
// capture has so many.

import type { PartitionHead } from '../../storage/format/partition-head.ts'
import { openStore } from '../../storage/open-store.ts'
import { dateStartMs, utcDate } from '../../storage/units.ts'
import type { Size } from '../topic.ts'
import { cached } from './cache.ts'
import { sourceKey } from './source-key.ts'

/** `longMarket` has 400 dates, the others one each. */
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
    const { blocks } = store
    for (let from = 0; from < marketCount; from += MARKETS_A_TRANSACTION) {
      const to = Math.min(from + MARKETS_A_TRANSACTION, marketCount)
      blocks.transaction((apply) => {
        for (let i = from; i < to; i++) apply(emptyPartition(ticker(i), DATE))
      })
    }
    blocks.transaction((apply) => {
      for (const date of lastDates(LONG_MARKET_DATES)) apply(emptyPartition(LONG_MARKET, date))
    })
    await store.flushed()
    await store.close()
  })
  return { data, marketCount: marketCount + 1, longMarket: LONG_MARKET, ticker }
}

/** 'KXMANY-000042-T50' */
const ticker = (index: number) => `KXMANY-${index.toString().padStart(6, '0')}-T50`

const lastDates = (count: number) =>
  Array.from({ length: count }, (_, i) => utcDate(dateStartMs(DATE) - i * 86_400_000))

function emptyPartition(market: string, date: string) {
  const atMs = dateStartMs(date)
  const head: PartitionHead = {
    version: 1,
    revision: 1,
    recordCount: 0,
    firstMs: atMs,
    lastMs: atMs,
    blocks: [],
    books: [],
    gaps: [],
    looseSnapshots: [],
    edits: [],
    openingBooks: null,
    closingBooks: null,
  }
  return { key: { venue: 'kalshi', market, date } as const, before: null, head, fromBlock: 0, blocks: [], states: [] }
}
