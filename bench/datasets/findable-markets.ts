// Makes a store for searches: many markets with metadata in Kalshi's form, and one market with every date of a year.
// Writes directly into the store, without records.

import type { MarketChange } from '../../storage/catalogue.ts'
import { openStore, type Store } from '../../storage/open-store.ts'
import { DAY_MS, dateStartMs, utcDate } from '../../storage/units.ts'
import { storeMetadata } from '../../workers/load/store-metadata.ts'
import { Random } from '../../workers/synthetic/random.ts'
import type { Size } from '../topic.ts'
import { cached } from './cache.ts'
import { emptyMarket } from './million-markets.ts'
import { sourceKey } from './source-key.ts'

export type FindableMarkets = {
  data: string
  marketCount: number
  /** First date of the calendar; `to` is the last. */
  from: string
  to: string
  word(number: number): string
}

const COUNTS = { smoke: 1_000, full: 100_000 }
const MARKETS_AT_ONCE = 5_000
const MARKETS_AN_EVENT = 10
const DATES = 366
const LAST_DATE = '2026-07-20'
const WORDS = 2_000
const SPREAD = 7_919
const LOADED_MS = Date.parse('2026-07-21')
const OPENING = [...'bcdfghklmnprstvw'].flatMap((consonant) => [...'aeiou'].map((vowel) => consonant + vowel))

export async function findableMarkets(size: Size): Promise<FindableMarkets> {
  const marketCount = COUNTS[size]
  const key = [marketCount, sourceKey('storage', 'workers/load', 'workers/venues', 'bench/datasets', 'bun.lock')]
  const dates = Array.from({ length: DATES }, (_, i) => utcDate(dateStartMs(LAST_DATE) - (DATES - 1 - i) * DAY_MS))
  const data = await cached(`findable-${marketCount}`, key, async (folder) => {
    const store = openStore(folder)
    for (let from = 0; from < marketCount; from += MARKETS_AT_ONCE) {
      await addMarkets(store, from, Math.min(marketCount, from + MARKETS_AT_ONCE))
    }
    await store.catalogue.commit([emptyMarket('KXYEAR-26', dates)])
    await store.flushed()
    await store.close()
  })
  return { data, marketCount, from: dates[0]!, to: dates.at(-1)!, word }
}

/** Returns a word of three syllables, such as 'bababa'. Words of neighbouring numbers have nothing in common. */
function word(number: number): string {
  const spread = (number % WORDS) * SPREAD
  const syllable = (place: number) => OPENING[Math.floor(spread / OPENING.length ** place) % OPENING.length]!
  return syllable(2) + syllable(1) + syllable(0)
}

async function addMarkets({ catalogue }: Store, from: number, to: number): Promise<void> {
  const random = new Random(1, `findable ${from}`)
  const documents: unknown[] = []
  const stored: MarketChange[] = []
  for (let first = from; first < to; first += MARKETS_AN_EVENT) {
    const event_ticker = `KXFIND-${String(first).padStart(6, '0')}`
    const words = () => Array.from({ length: 4 }, () => word(random.below(WORDS))).join(' ')
    const markets = Array.from({ length: MARKETS_AN_EVENT }, (_, i) => {
      const yes_sub_title = `${word(random.below(WORDS))} ${i}`
      return { ticker: `${event_ticker}-T${i}`, event_ticker, title: `Will ${words()} happen?`, yes_sub_title }
    })
    documents.push({ event: { event_ticker, title: `${words()} in July` }, markets })
    const date = utcDate(dateStartMs(LAST_DATE) - random.below(DATES) * DAY_MS)
    stored.push(...markets.map(({ ticker }) => emptyMarket(ticker, [date])))
  }
  await catalogue.commit(stored)
  await storeMetadata(catalogue, documents, LOADED_MS)
}
