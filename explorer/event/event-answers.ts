// The API's answers about an event: its markets, and their quotes and trades on a day.

import type { FoundMarket, Search } from '../../src/client/backbook.d.ts'
import { AnswerCache, type Entry } from '../data/answer-cache.ts'
import { ask, askJson } from '../data/ask.ts'
import { CHARACTERS_MAX } from '../find/search-text.ts'
import type { Venue } from '../venues.ts'
import { SHOWN } from '../venues.ts'
import { type CsvRow, csvRows } from './event-rows.ts'

const [FEW, FINE_MS, COARSE_MS] = [10, 60_000, 900_000]
/** Returns the length of a bucket, ms: many markets get coarse buckets, because fine ones would take megabytes a
 *  day. */
export const bucketFor = (count: number): number => (count <= FEW ? FINE_MS : COARSE_MS)

const MARKETS_MAX = 100
const COUNT_MAX = 50
const found = new AnswerCache<readonly FoundMarket[]>(COUNT_MAX, () => 1)
const rows = new AnswerCache<readonly CsvRow[]>(COUNT_MAX, () => 1)

export const eventMarkets = (venue: Venue, event: string): Entry<readonly FoundMarket[]> =>
  found.take(`${venue} ${event}`, async (signal) => {
    const { data } = await askJson<Search>(
      '/search',
      { q: event.slice(0, CHARACTERS_MAX), venue, limit: MARKETS_MAX },
      signal,
    )
    const own = data.filter((each) => each.event?.id === event)
    return own.sort((a, b) => a.market.localeCompare(b.market, 'en', { numeric: true }))
  })

type OfDay = { venue: Venue; event: string; date: string; markets: readonly FoundMarket[]; bucketMs: number } & {
  /** The instant after which everything is hidden; Infinity to hide nothing. */
  untilMs: number
}

/** Returns the buckets of the first outcome of each market. `path` is `orderbook-summary` or `trade-summary`. If the
 *  future is hidden, the buckets of quotes always continue up to `untilMs`, whether anything is stored later or not. */
export function eventBuckets(
  { venue, event, date, markets, bucketMs, untilMs }: OfDay,
  path: Path,
): Entry<readonly CsvRow[]> {
  const { hasAssets, listParameter } = SHOWN[venue]
  const columns = ['market', ...(hasAssets ? ['asset_id'] : []), 'timestamp', ...COLUMNS[path]].join(',')
  const books = markets.flatMap(({ has_data, market, outcomes: [first] }) => {
    if (!has_data || (hasAssets && !first?.asset_id)) return []
    return hasAssets ? `${market}:${first?.asset_id}` : market
  })
  const fill = untilMs < Infinity && path === 'orderbook-summary' ? 'range' : null
  const query = { [listParameter]: books.join(','), date, resolution: bucketMs / 1_000, format: 'csv', columns, fill }
  return rows.take(`${venue} ${event} ${date} ${path} ${untilMs}`, async (signal) => {
    const all = csvRows(await (await ask(`/${venue}/markets/${path}`, query, signal)).text())
    return all.filter(({ timestamp }) => Number(timestamp) + bucketMs <= untilMs)
  })
}

type Path = keyof typeof COLUMNS
const COLUMNS = {
  'orderbook-summary': ['mid_price_close', 'spread_close'],
  'trade-summary': ['close', 'volume'],
}
