// Makes a store with a hundred markets of one day with 2,000 records each.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { dateStartMs } from '../../storage/units.ts'
import type { Size } from '../topic.ts'
import { cached } from './cache.ts'
import { loadCaptures } from './capture-store.ts'
import { tickerOf, writeMarkets } from './many-markets.ts'
import { sourceKey } from './source-key.ts'
import { storeKey } from './store-key.ts'
import { CAPTURE_DATE } from './synthetic-capture.ts'

export type HundredMarkets = { data: string; tickers: string[]; fromMs: number }

const RECORDS = { smoke: 50, full: 2_000 }
const MARKETS = 100

export async function hundredMarkets(size: Size): Promise<HundredMarkets> {
  const records = RECORDS[size]
  const key = [records, sourceKey('workers/synthetic', 'bench/datasets/many-markets.ts'), storeKey()]
  const data = await cached(`hundred-markets-${size}`, key, async (folder) => {
    const capture = join(folder, 'markets.ndjson')
    await writeMarkets(capture, MARKETS, records)
    await loadCaptures(folder, [capture])
    rmSync(capture)
  })
  return { data, tickers: Array.from({ length: MARKETS }, (_, i) => tickerOf(i)), fromMs: dateStartMs(CAPTURE_DATE) }
}
