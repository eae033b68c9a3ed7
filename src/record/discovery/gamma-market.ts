// Parses Polymarket markets from Gamma's responses, with the fields that discovery needs.

import { isObject, type JsonObject } from '../../../workers/venues/described-message.ts'
import { textsOf, timeMsOf } from '../../../workers/venues/metadata-values.ts'
import { fingerprint, objectsIn, textsUnder } from './json-values.ts'
import type { FoundMarket } from './market-keeper.ts'

export type GammaMarket = FoundMarket & {
  createdMs: number | null
  /** Unix ms; null if the market is not closed. */
  closedMs: number | null
  slug: string
  /** Slugs of its events. */
  events: string[]
  /** Slugs of its tags and series; null if the response has no such list. */
  tags: string[] | null
  series: string[] | null
  /** Dollars. */
  volume: number
  /** Whether an open market has no tokens yet. Then it is requested again. */
  isDry: boolean
}

const CONDITION_ID = /^0x[0-9a-fA-F]{64}$/
const TOKEN = /^[0-9]{1,78}$/

/** Parses a market. Returns undefined if it is not a market with an order book. `parents` are the events that contain
 *  it in the response. */
export function gammaMarket(entry: JsonObject, parents: readonly JsonObject[] = []): GammaMarket | undefined {
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
