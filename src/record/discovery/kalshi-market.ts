// Markets and events of Kalshi as its REST API tells them: what discovery needs to know of each.

import type { JsonObject } from '../../../workers/venues/described-message.ts'
import { knownText, timeMsOf } from '../../../workers/venues/metadata-values.ts'
import { fingerprint, objectsIn } from './json-values.ts'
import type { FoundMarket } from './market-keeper.ts'

/** What a market belongs to; null where the answer does not say. */
export type KalshiEvent = { event: string; series: string | null; category: string | null }
export type KalshiMarket = FoundMarket & { event: string }

const TICKER = /^[A-Za-z0-9._-]{1,128}$/
/** After these nothing more is said of a market (docs.kalshi.com, market lifecycle). */
const FINAL = ['finalized', 'settled']
const STATES = [
  ...['unopened', 'initialized', 'inactive', 'active', 'open', 'paused', 'closed', 'determined', 'disputed', 'amended'],
  ...FINAL,
]

/** Undefined for what is no market. */
export function kalshiMarket(said: JsonObject): KalshiMarket | undefined {
  const { ticker, event_ticker: event, status } = said
  if (typeof ticker !== 'string' || !TICKER.test(ticker) || typeof event !== 'string') return undefined
  if (typeof status !== 'string' || !STATES.includes(status)) return undefined
  return {
    market: ticker,
    event,
    books: [ticker],
    opensMs: timeMsOf(said['open_time']),
    closesMs: timeMsOf(said['close_time']),
    isOver: FINAL.includes(status),
    said: fingerprint(WORDS.map((key) => said[key])),
  }
}

/** What the store should learn when it changes; not prices and volumes, which change all the time. */
const WORDS = [
  ...['status', 'title', 'subtitle', 'yes_sub_title', 'no_sub_title', 'open_time', 'close_time', 'expiration_time'],
  ...['result', 'settlement_ts', 'settlement_value_dollars', 'price_level_structure', 'price_ranges', 'rules_primary'],
]

/** Undefined for what is no event. */
export function kalshiEvent(said: JsonObject): KalshiEvent | undefined {
  const { event_ticker: event, series_ticker, category } = said
  if (typeof event !== 'string' || !TICKER.test(event)) return undefined
  return { event, series: knownText(series_ticker), category: knownText(category) }
}

export const kalshiMarkets = (list: unknown): KalshiMarket[] =>
  objectsIn(list)
    .map(kalshiMarket)
    .filter((market) => market !== undefined)
