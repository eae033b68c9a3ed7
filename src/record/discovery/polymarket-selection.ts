// Decides which markets of Polymarket are recorded, and builds the Gamma queries that find them.

import type { PolymarketConfig, PolymarketSelection } from '../config/record-config.ts'
import type { GammaMarket } from './gamma-market.ts'

/** A query for selected markets. `isRelevant` checks each result, because a server may ignore a filter that it does not
 *  know. */
export type GammaQuery = {
  path: '/markets/keyset' | '/events/keyset'
  filter: [string, string][]
  isRelevant: (market: GammaMarket) => boolean
}

/** Slugs in one request. */
const SLUGS_AT_ONCE = 50

/** Returns the queries of a selection. `seriesIds` has the id of each known series by slug; others are skipped. */
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

/** Returns a check whether a market has this tag or series. It accepts a market whose response has no such list. */
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
