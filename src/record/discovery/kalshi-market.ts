// Parses Kalshi's markets and events from its REST responses, with the fields that discovery needs, and decides which
// markets are recorded.

import type { JsonObject } from '../../../workers/venues/described-message.ts'
import { knownText, timeMsOf } from '../../../workers/venues/metadata-values.ts'
import type { KalshiSelection } from '../config/venue-config.ts'
import { fingerprint, objectsIn } from './keyset-pages.ts'
import type { FoundMarket } from './known-markets.ts'

/** An event with its series and category; null if the response does not have them. */
export type KalshiEvent = { event: string; series: string | null; category: string | null }
export type KalshiMarket = FoundMarket & { event: string }

const TICKER = /^[A-Za-z0-9._-]{1,128}$/
/** Final states: the venue sends nothing more about the market (docs.kalshi.com, market lifecycle). */
const FINAL = ['finalized', 'settled']
const STATES = [
  ...['unopened', 'initialized', 'inactive', 'active', 'open', 'paused', 'closed', 'determined', 'disputed', 'amended'],
  ...FINAL,
]

/** Parses a market. Returns undefined if it is not one. */
function kalshiMarket(entry: JsonObject): KalshiMarket | undefined {
  const { ticker, event_ticker: event, status } = entry
  if (typeof ticker !== 'string' || !TICKER.test(ticker) || typeof event !== 'string') return undefined
  if (typeof status !== 'string' || !STATES.includes(status)) return undefined
  return {
    market: ticker,
    event,
    books: [ticker],
    opensMs: timeMsOf(entry['open_time']),
    closesMs: timeMsOf(entry['close_time']),
    isOver: FINAL.includes(status),
    said: fingerprint(NEWS_KEYS.map((key) => entry[key])),
  }
}

/** Keys whose changes are sent to the store. Prices and volumes are left out: they change all the time. */
const NEWS_KEYS = [
  ...['status', 'title', 'subtitle', 'yes_sub_title', 'no_sub_title', 'open_time', 'close_time', 'expiration_time'],
  ...['result', 'settlement_ts', 'settlement_value_dollars', 'price_level_structure', 'price_ranges', 'rules_primary'],
]

/** Parses an event. Returns undefined if it is not one. */
export function kalshiEvent(entry: JsonObject): KalshiEvent | undefined {
  const { event_ticker: event, series_ticker, category } = entry
  if (typeof event !== 'string' || !TICKER.test(event)) return undefined
  return { event, series: knownText(series_ticker), category: knownText(category) }
}

export const kalshiMarkets = (list: unknown): KalshiMarket[] =>
  objectsIn(list)
    .map(kalshiMarket)
    .filter((market) => market !== undefined)

/** Whether the event, its series or its category is selected and none of them excluded. Names are compared without
 *  regard to case. */
export function selectsEvent(
  { all, events, series, categories, exclude }: KalshiSelection,
  event: KalshiEvent,
): boolean {
  const isAmong = (names: readonly string[], name: string | null) => name !== null && hasName(names, name)
  if (isAmong(exclude.events, event.event)) return false
  if (isAmong(exclude.series, event.series) || isAmong(exclude.categories, event.category)) return false
  return all || isAmong(events, event.event) || isAmong(series, event.series) || isAmong(categories, event.category)
}

export const excludesTicker = ({ exclude }: KalshiSelection, ticker: string): boolean =>
  hasName(exclude.tickers, ticker)

const hasName = (names: readonly string[], name: string): boolean => {
  const wanted = name.toLowerCase()
  return names.some((each) => each.toLowerCase() === wanted)
}

/** Whether all events must be listed, because the selection names no event or series to request. */
export const needsAllEvents = ({ all, categories }: KalshiSelection): boolean => all || categories.length > 0
