// Gamma's events and markets (gamma-api.polymarket.com), from which slugs are resolved. Several of their fields are
// JSON inside a string.

import { isSlugTooLong, type MarketMetadata, type SlugAnswer } from '../../../storage/catalogue.ts'
import { isObject, type JsonObject } from '../described-message.ts'

/** Whether a JSON object is metadata, and whose: Gamma's is kept, Kalshi's is known and not needed. */
export function metadataKindOf(value: JsonObject): 'gamma' | 'kalshi metadata' | undefined {
  if (
    typeof value['slug'] === 'string' &&
    (typeof value['conditionId'] === 'string' || Array.isArray(value['markets']))
  ) {
    return 'gamma'
  }
  if (typeof value['conditionId'] === 'string' && typeof value['question'] === 'string') return 'gamma'
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
  return {
    events: [],
    markets: marketOf(value)
      .filter(({ slug }) => slug !== '')
      .map((market) => ({ event, markets: [market] })),
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
  const conditionId = text(value['conditionId']).toLowerCase()
  if (conditionId === '') return []
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
