// Markets of Polymarket as Gamma tells them: what discovery needs to know of each.

import { isObject, type JsonObject } from '../../../workers/venues/described-message.ts'
import { textsOf, timeMsOf } from '../../../workers/venues/metadata-values.ts'
import { fingerprint, objectsIn, textsUnder } from './json-values.ts'
import type { FoundMarket } from './market-keeper.ts'

export type GammaMarket = FoundMarket & {
  createdMs: number | null
  /** When it was closed, where it was. */
  closedMs: number | null
  slug: string
  /** Slugs of what it belongs to; null where the answer does not say. */
  events: string[]
  tags: string[] | null
  series: string[] | null
  /** Dollars. */
  volume: number
  /** Its tokens are not told yet: it is asked for again. */
  isDry: boolean
}

const CONDITION_ID = /^0x[0-9a-fA-F]{64}$/
const TOKEN = /^[0-9]{1,78}$/

/** Undefined for what is no market with an order book. `parents` are the events that it was told in. */
export function gammaMarket(said: JsonObject, parents: readonly JsonObject[] = []): GammaMarket | undefined {
  const { conditionId, enableOrderBook } = said
  if (typeof conditionId !== 'string' || !CONDITION_ID.test(conditionId) || enableOrderBook === false) return undefined
  const events = [...parents, ...objectsIn(said['events'])]
  const books = textsOf(said['clobTokenIds']).filter((token) => TOKEN.test(token))
  const isOver = said['closed'] === true
  return {
    market: conditionId.toLowerCase(),
    books,
    opensMs: null,
    closesMs: timeMsOf(said['endDate']),
    isOver,
    said: fingerprint(WORDS.map((key) => said[key]).concat(isOver ? said['outcomePrices'] : null)),
    createdMs: timeMsOf(said['createdAt']),
    closedMs: timeMsOf(said['closedTime']),
    slug: typeof said['slug'] === 'string' ? said['slug'] : '',
    events: textsUnder(events, 'slug'),
    tags: unlessUnsaid([said, ...events].map(({ tags }) => slugsIn(tags))),
    series: unlessUnsaid(events.map(seriesOf)),
    volume: volumeOf(said),
    isDry: !isOver && books.length === 0,
  }
}

/** What the store should learn when it changes; not prices and volumes, which change all the time. */
const WORDS = [
  ...['question', 'slug', 'description', 'clobTokenIds', 'outcomes', 'endDate', 'closed', 'closedTime', 'active'],
  ...['archived', 'umaResolutionStatus', 'orderPriceMinTickSize', 'orderMinSize', 'negRisk'],
]

/** Markets of a page: a list of markets, or of events with theirs. */
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

/** Null where none of them says anything. */
function unlessUnsaid(lists: (string[] | null)[]): string[] | null {
  const said = lists.filter((list) => list !== null)
  return said.length === 0 ? null : said.flat()
}

function volumeOf({ volumeNum, volume }: JsonObject): number {
  const number = Number(volumeNum ?? volume)
  return Number.isFinite(number) ? number : 0
}

/** An object of Gamma is named by its id. */
export const gammaName = ({ id, conditionId, slug }: JsonObject): string => String(id ?? conditionId ?? slug)

/** Slug to id, of the answer about series. */
export function seriesIds(value: unknown): Map<string, string> | undefined {
  if (!Array.isArray(value) || !value.every(isObject)) return undefined
  return new Map(value.map(({ slug, id }) => [String(slug), String(id)]))
}
