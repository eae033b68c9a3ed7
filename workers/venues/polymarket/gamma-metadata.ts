// Reads Gamma's events and markets (gamma-api.polymarket.com), which resolve slugs and describe markets. Several of
// their fields are JSON inside a string.

import { isSlugTooLong, type MarketMetadata, type SlugAnswer } from '../../../storage/catalogue.ts'
import type { EventDescription, MarketDescription, Metadata, Outcome } from '../../../storage/finding/metadata.ts'
import { CONDITION_ID } from '../../../storage/venues/polymarket.ts'
import { isObject, type JsonObject } from '../described-message.ts'
import { knownText, textsOf, timeMsOf } from '../metadata-values.ts'

/** Returns whether a JSON object is one of Gamma's events or markets. */
export function isGamma(value: JsonObject): boolean {
  if (typeof value['slug'] === 'string' && Array.isArray(value['markets'])) return true
  // Objects of the data API also have a market's id and slug, but they are trades and positions, so require one of
  // these fields.
  const isMarket = typeof value['question'] === 'string' || value['clobTokenIds'] !== undefined
  return isMarket && isConditionId(value['conditionId'])
}

/** Returns the events or markets of a page of a list, such as an answer of /markets/keyset; undefined for anything
 *  else. */
export function gammaPage({ slug, events, markets }: JsonObject): JsonObject[] | undefined {
  const list = events ?? markets
  if (slug !== undefined || !Array.isArray(list) || list.length === 0) return undefined
  return list.every((each): each is JsonObject => isObject(each) && isGamma(each)) ? list : undefined
}

export function gammaMetadata(value: JsonObject): Metadata {
  if (Array.isArray(value['markets'])) {
    const events = eventOf(value)
    const markets = value['markets'].filter(isObject)
    return { markets: markets.flatMap((market) => marketMetadata(market, events[0]?.event ?? null)), events }
  }
  const parent = parentOf(value)
  const events = parent === undefined ? [] : eventOf(parent)
  return { markets: marketMetadata(value, events[0]?.event ?? null), events }
}

function marketMetadata({ events: _, ...said }: JsonObject, event: string | null): MarketDescription[] {
  if (!isConditionId(said['conditionId'])) return []
  const card = {
    title: knownText(said['question']),
    subtitle: knownText(said['groupItemTitle']),
    slug: knownText(said['slug']),
    event,
    outcomes: outcomesOf(textsOf(said['outcomes']), textsOf(said['clobTokenIds'])),
  }
  const market = said['conditionId'].toLowerCase()
  return [{ venue: 'polymarket', market, card, said, saidMs: timeMsOf(said['updatedAt']) }]
}

/** Returns the outcomes. A document may have only one of the two lists. */
const outcomesOf = (names: readonly string[], tokens: readonly string[]): Outcome[] =>
  Array.from({ length: Math.max(names.length, tokens.length) }, (_, i) => {
    return { outcome: names[i] ?? '', title: null, asset_id: tokens[i] ?? null }
  })

function eventOf({ markets: _, ...said }: JsonObject): EventDescription[] {
  const event = knownText(said['slug'])
  if (event === null) return []
  const [series, tag] = [said['series'], said['tags']].map((list) =>
    Array.isArray(list) ? list.find(isObject) : undefined,
  )
  const card = {
    title: knownText(said['title']),
    subtitle: null,
    category: knownText(said['category']) ?? knownText(tag?.['label']),
    series: knownText(said['seriesSlug']) ?? knownText(series?.['slug']),
  }
  return [{ venue: 'polymarket', event, card, said, saidMs: timeMsOf(said['updatedAt']) }]
}

const parentOf = (value: JsonObject): JsonObject | undefined =>
  Array.isArray(value['events']) ? value['events'].find(isObject) : undefined

/** Returns the answers for slugs: each event with all its markets, or each market with the event that it names. */
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
  const parent = parentOf(value)
  const event = parent === undefined ? null : { slug: text(parent['slug']), title: text(parent['title']) }
  const markets = marketOf(value).filter(({ slug }) => slug !== '')
  return {
    events: event === null || event.slug === '' ? [] : markets.map((market) => ({ event, markets: [market] })),
    markets: markets.map((market) => ({ event, markets: [market] })),
  }
}

/** Returns whether a slug in the document is too long to store. */
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
      asset_ids: textsOf(value['clobTokenIds']),
      outcomes: textsOf(value['outcomes']),
    },
  ]
}

const isConditionId = (value: unknown): value is string => typeof value === 'string' && CONDITION_ID.test(value)

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
