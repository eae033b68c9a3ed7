// Reads Kalshi's markets and events in the form in which its REST API returns them (docs.kalshi.com, GET /markets and
// /events): a single market or event, a page of them, or an event with its markets.

import type { EventDescription, MarketDescription, Metadata, Outcome } from '../../../storage/finding/metadata.ts'
import { TICKER } from '../../../storage/venues/kalshi.ts'
import { isObject, type JsonObject } from '../described-message.ts'
import { knownText, timeMsOf } from '../metadata-values.ts'

export function isKalshiMetadata(value: JsonObject): boolean {
  return marketsIn(value).length + eventsIn(value).length > 0
}

/** Returns a ticker in the document that is not valid; undefined if all are valid. */
export function wrongTicker(value: JsonObject): string | undefined {
  const tickers = [
    ...marketsIn(value).map(({ ticker }) => ticker),
    ...eventsIn(value).map((each) => each['event_ticker']),
  ]
  return tickers.map(String).find((ticker) => !TICKER.test(ticker))
}

export function kalshiMetadata(value: JsonObject): Metadata {
  return { markets: marketsIn(value).map(marketMetadata), events: eventsIn(value).map(eventMetadata) }
}

const isMarket = (value: JsonObject): boolean => typeof value['ticker'] === 'string'
const isEvent = (value: JsonObject): boolean => typeof value['event_ticker'] === 'string' && !('ticker' in value)

function marketsIn(value: JsonObject): JsonObject[] {
  // A lone market must name its event, or the object might be anything.
  if (isMarket(value)) return typeof value['event_ticker'] === 'string' ? [value] : []
  const lists = [value, ...eventsIn(value)].map(({ markets }) => objectsIn(markets))
  return [value['market'], ...new Set(lists.flat())].filter(isObject).filter(isMarket)
}

function eventsIn(value: JsonObject): JsonObject[] {
  // A lone event must have a title, or the object might be anything.
  if (isEvent(value)) return typeof value['title'] === 'string' ? [value] : []
  return [value['event'], ...objectsIn(value['events'])].filter(isObject).filter(isEvent)
}

const objectsIn = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

function marketMetadata(said: JsonObject): MarketDescription {
  const event = said['event_ticker']
  const card = {
    title: knownText(said['title']),
    subtitle: knownText(said['subtitle']),
    slug: null,
    event: typeof event === 'string' && TICKER.test(event) ? event.toUpperCase() : null,
    outcomes: outcomesOf(said),
  }
  const market = String(said['ticker']).toUpperCase()
  return { venue: 'kalshi', market, card, said, saidMs: timeMsOf(said['updated_time']) }
}

/** Returns the outcomes of a market. Returns no outcomes if the market does not say what they mean. */
function outcomesOf(said: JsonObject): Outcome[] {
  const [yes, no] = [knownText(said['yes_sub_title']), knownText(said['no_sub_title'])]
  if (yes === null && no === null) return []
  return [
    { outcome: 'Yes', title: yes, asset_id: null },
    { outcome: 'No', title: no, asset_id: null },
  ]
}

function eventMetadata({ markets: _, ...said }: JsonObject): EventDescription {
  const event = String(said['event_ticker']).toUpperCase()
  const card = {
    title: knownText(said['title']),
    subtitle: knownText(said['sub_title']),
    category: knownText(said['category']),
    series: knownText(said['series_ticker'])?.toUpperCase() ?? event.split('-')[0]!,
  }
  return { venue: 'kalshi', event, card, said, saidMs: timeMsOf(said['last_updated_ts']) }
}
