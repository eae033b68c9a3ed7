// Parses Polymarket markets from Gamma's responses, decides which of them are recorded, and builds the queries that
// find them.

import { CONDITION_ID } from '../../../../storage/venues/polymarket.ts'
import { isObject, type JsonObject } from '../../../../workers/venues/described-message.ts'
import { textsOf, timeMsOf } from '../../../../workers/venues/metadata-values.ts'
import { fingerprint, objectsIn, textsUnder } from '../../discovery/keyset-pages.ts'
import type { FoundMarket } from '../../discovery/known-markets.ts'
import type { PolymarketConfig, PolymarketSelection } from './polymarket-config.ts'

export type GammaMarket = FoundMarket & {
  createdMs: number | null
  /** Unix ms; null if the market is not closed. */
  closedMs: number | null
  slug: string
  /** Slugs of the market's events. */
  events: string[]
  /** Slugs of the market's tags and series; null if the response has no such list. */
  tags: string[] | null
  series: string[] | null
  /** Dollars. */
  volume: number
  /** Whether the market is open but has no tokens yet. Then the market is requested again. */
  isDry: boolean
}
const TOKEN = /^[0-9]{1,78}$/

/** Parses a market. Returns undefined if it is not a market with an order book. `parents` are the events that contain
 *  it in the response. */
function gammaMarket(entry: JsonObject, parents: readonly JsonObject[] = []): GammaMarket | undefined {
  const { conditionId, enableOrderBook } = entry
  if (typeof conditionId !== 'string' || !CONDITION_ID.test(conditionId) || enableOrderBook === false) return undefined
  const events = [...parents, ...objectsIn(entry['events'])]
  const books = textsOf(entry['clobTokenIds']).filter((token) => TOKEN.test(token))
  const isOver = entry['closed'] === true
  return {
    market: conditionId.toLowerCase(),
    books,
    opensMs: null,
    closesMs: timeMsOf(entry['endDate']),
    isOver,
    said: fingerprint(NEWS_KEYS.map((key) => entry[key]).concat(isOver ? entry['outcomePrices'] : null)),
    createdMs: timeMsOf(entry['createdAt']),
    closedMs: timeMsOf(entry['closedTime']),
    slug: typeof entry['slug'] === 'string' ? entry['slug'] : '',
    events: textsUnder(events, 'slug'),
    tags: concatKnown([entry, ...events].map(({ tags }) => slugsIn(tags))),
    series: concatKnown(events.map(seriesOf)),
    volume: volumeOf(entry),
    isDry: !isOver && books.length === 0,
  }
}

/** Keys whose changes are sent to the store. Prices and volumes are left out: they change all the time. */
const NEWS_KEYS = [
  ...['question', 'slug', 'description', 'clobTokenIds', 'outcomes', 'endDate', 'closed', 'closedTime', 'active'],
  ...['archived', 'umaResolutionStatus', 'orderPriceMinTickSize', 'orderMinSize', 'negRisk'],
]

/** Returns the markets of a page, which lists markets, or events with their markets. */
export function marketsOn(entries: readonly JsonObject[]): GammaMarket[] {
  return entries.flatMap((entry) => {
    const markets = Array.isArray(entry['markets'])
      ? objectsIn(entry['markets']).map((market) => gammaMarket(market, [entry]))
      : [gammaMarket(entry)]
    return markets.filter((market) => market !== undefined)
  })
}

const slugsIn = (list: unknown): string[] | null => (Array.isArray(list) ? textsUnder(objectsIn(list), 'slug') : null)

function seriesOf({ seriesSlug, series }: JsonObject): string[] | null {
  return typeof seriesSlug === 'string' ? [seriesSlug, ...(slugsIn(series) ?? [])] : slugsIn(series)
}

/** Concatenates the lists that are not null. Returns null if all are null. */
function concatKnown(lists: (string[] | null)[]): string[] | null {
  const known = lists.filter((list) => list !== null)
  return known.length === 0 ? null : known.flat()
}

function volumeOf({ volumeNum, volume }: JsonObject): number {
  const number = Number(volumeNum ?? volume)
  return Number.isFinite(number) ? number : 0
}

/** Returns the id of a Gamma object, else its condition id or slug. */
export const gammaName = ({ id, conditionId, slug }: JsonObject): string => String(id ?? conditionId ?? slug)

/** Parses the list of series into ids by slug. Returns undefined if it is not a list of objects. */
export function seriesIds(value: unknown): Map<string, string> | undefined {
  if (!Array.isArray(value) || !value.every(isObject)) return undefined
  return new Map(value.map(({ slug, id }) => [String(slug), String(id)]))
}

/** A query for selected markets. `isRelevant` checks each result, because a server may ignore a filter that it does not
 *  know. */
export type GammaQuery = {
  path: '/markets/keyset' | '/events/keyset'
  filter: [string, string][]
  isRelevant: (market: GammaMarket) => boolean
}

/** Slugs in one request. */
const SLUGS_AT_ONCE = 50

/** Returns the queries of a selection. `seriesIds` has the id of each known series by slug; series without an id are
 *  skipped. */
export function gammaQueries(selection: PolymarketSelection, seriesIds: ReadonlyMap<string, string>): GammaQuery[] {
  const { all, volumeMin, slugs, events, tags, series } = selection
  const queries: GammaQuery[] = []
  if (all) queries.push({ path: '/markets/keyset', filter: [], isRelevant: () => true })
  else if (volumeMin > 0) {
    const filter: [string, string][] = [['volume_num_min', String(volumeMin)]]
    queries.push({ path: '/markets/keyset', filter, isRelevant: ({ volume }) => volume >= volumeMin })
  }
  const named = (path: GammaQuery['path'], names: readonly string[], namesOf: (market: GammaMarket) => string[]) => {
    for (let from = 0; from < names.length; from += SLUGS_AT_ONCE) {
      const some = names.slice(from, from + SLUGS_AT_ONCE)
      const isRelevant = (market: GammaMarket) => namesOf(market).some((name) => some.includes(name))
      queries.push({ path, filter: some.map((name) => ['slug', name]), isRelevant })
    }
  }
  named('/markets/keyset', slugs, ({ slug }) => [slug])
  named('/events/keyset', events, (market) => market.events)
  for (const tag of tags) {
    queries.push({ path: '/events/keyset', filter: [['tag_slug', tag]], isRelevant: isOneOf(tag, (each) => each.tags) })
  }
  for (const name of series) {
    const id = seriesIds.get(name)
    if (id === undefined) continue
    queries.push({
      path: '/events/keyset',
      filter: [['series_id', id]],
      isRelevant: isOneOf(name, (each) => each.series),
    })
  }
  return queries
}

/** Returns a function that checks whether a market has this tag or series. The function also accepts a market whose
 *  response has no list of tags or series. */
const isOneOf = (name: string, namesOf: (market: GammaMarket) => string[] | null) => (market: GammaMarket) =>
  namesOf(market)?.includes(name) ?? true

/** Whether a market that was requested by id is selected. */
export function isSelected(selection: PolymarketSelection, market: GammaMarket): boolean {
  const { all, volumeMin, slugs, events, tags, series } = selection
  return (
    all ||
    (volumeMin > 0 && market.volume >= volumeMin) ||
    slugs.includes(market.slug) ||
    isAny(market.events, events) ||
    isAny(market.tags, tags) ||
    isAny(market.series, series)
  )
}

export function isExcluded({ exclude }: PolymarketSelection, market: GammaMarket): boolean {
  return (
    exclude.slugs.includes(market.slug) ||
    isAny(market.events, exclude.events) ||
    isAny(market.tags, exclude.tags) ||
    isAny(market.series, exclude.series)
  )
}

const isAny = (names: readonly string[] | null, wanted: readonly string[]): boolean =>
  names?.some((name) => wanted.includes(name)) ?? false

/** Returns the path of a query's first page. `further` are additional parameters, such as the order. */
export function gammaPath(
  { path, filter }: Pick<GammaQuery, 'path' | 'filter'>,
  { pageSize }: Pick<PolymarketConfig, 'pageSize'>,
  further: [string, string][],
): string {
  const tags: [string, string][] = path === '/markets/keyset' ? [['include_tag', 'true']] : []
  return `${path}?${new URLSearchParams([['limit', String(pageSize)], ...tags, ...filter, ...further])}`
}
