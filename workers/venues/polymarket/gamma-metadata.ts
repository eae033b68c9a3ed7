// Gamma's events and markets (gamma-api.polymarket.com), from which slugs are resolved. Several of their fields are
// JSON inside a string.

import { isSlugTooLong, type MarketMetadata, type SlugAnswer } from '../../../storage/catalogue.ts'
import { isObject, type JsonObject } from '../described-message.ts'

const CONDITION_ID = /^0x[0-9a-fA-F]{64}$/

/** Whether a JSON object is metadata, and whose: Gamma's is kept, Kalshi's is known and not needed. */
export function metadataKindOf(value: JsonObject): 'gamma' | 'kalshi metadata' | undefined {
  if (typeof value['slug'] === 'string' && Array.isArray(value['markets'])) return 'gamma'
  // Documents of the data API name a market by its id and slug too: they are trades and positions.
  const isMarket = typeof value['question'] === 'string' || value['clobTokenIds'] !== undefined
  if (isMarket && isConditionId(value['conditionId'])) return 'gamma'
  const markets = value['markets']
  const isKalshi =
    (isObject(value['event']) && typeof value['event']['event_ticker'] === 'string') ||
    (Array.isArray(markets) && isObject(markets[0]) && 'ticker' in markets[0])
  return isKalshi || isKalshiMarket(value) ? 'kalshi metadata' : undefined
}

/** What a slug will be answered with: the event with all its markets, or the market with the event it names. */
export function slugAnswers(value: JsonObject): { events: SlugAnswer[]; markets: SlugAnswer[] } {
  if (Array.isArray(value['markets'])) {
    const event = { slug: text(value['slug']), title: text(value['title']) }
    const markets = value['markets'].filter(isObject).flatMap(marketOf)
    const events = event.slug === '' ? [] : [{ event, markets }]
    return {
      events,
      markets: markets.filter(({ slug }) => slug !== '').map((market) => ({ event, markets: [market] })),
    }
  }
  const parent = Array.isArray(value['events']) ? value['events'].find(isObject) : undefined
  const event = parent === undefined ? null : { slug: text(parent['slug']), title: text(parent['title']) }
  const markets = marketOf(value).filter(({ slug }) => slug !== '')
  return {
    events: event === null || event.slug === '' ? [] : markets.map((market) => ({ event, markets: [market] })),
    markets: markets.map((market) => ({ event, markets: [market] })),
  }
}

/** Whether what would be looked up by it could not be stored. */
export function hasLongSlug(value: JsonObject): boolean {
  const { events, markets } = slugAnswers(value)
  return (
    events.some(({ event }) => isSlugTooLong(event?.slug ?? '')) ||
    markets.some((answer) => answer.markets.some(({ slug }) => isSlugTooLong(slug)))
  )
}

function marketOf(value: JsonObject): MarketMetadata[] {
  if (!isConditionId(value['conditionId'])) return []
  const conditionId = value['conditionId'].toLowerCase()
  return [
    {
      question: text(value['question']),
      conditionId,
      slug: text(value['slug']),
      asset_ids: texts(value['clobTokenIds']),
      outcomes: texts(value['outcomes']),
    },
  ]
}

function isKalshiMarket(value: JsonObject): boolean {
  return typeof value['event_ticker'] === 'string' && typeof value['ticker'] === 'string'
}

const isConditionId = (value: unknown): value is string => typeof value === 'string' && CONDITION_ID.test(value)

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A list of texts, or the JSON of one in a string. */
function texts(value: unknown): string[] {
  let list = value
  if (typeof value === 'string') {
    try {
      list = JSON.parse(value)
    } catch {
      return []
    }
  }
  return Array.isArray(list) ? list.map(String) : []
}
