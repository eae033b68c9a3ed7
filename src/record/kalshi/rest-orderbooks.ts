// Order books of Kalshi's REST (docs.kalshi.com, GetMarketOrderbook and GetMarketOrderbooks): bids of both sides,
// without a time. The body for one market does not name the market.

import type { Levels } from '../audit/signed-book.ts'
import { levelsOf } from './followed-books.ts'

/** Most markets in one request. */
export const ORDERBOOKS_MAX = 100

/** Returns the path that requests all levels of a market. */
export const orderbookPath = (ticker: string): string => `/markets/${encodeURIComponent(ticker)}/orderbook?depth=0`

/** Returns the path that requests several markets. The parameter is repeated, because Kalshi reads a list with commas
 *  as one ticker and returns an empty book. */
export const orderbooksPath = (tickers: readonly string[]): string =>
  `/markets/orderbooks?${tickers.map((ticker) => `tickers=${encodeURIComponent(ticker)}`).join('&')}`

/** Parses one order book. Returns undefined if the body is not one. */
export const readOrderbook = (body: string): Levels | undefined => levelsIn(parsed(body))

/** Parses order books by ticker. Returns undefined if the body is not a list. Leaves out books that cannot be
 *  parsed. */
export function readOrderbooks(body: string): Map<string, Levels> | undefined {
  const list = objectOf(parsed(body))['orderbooks']
  if (!Array.isArray(list)) return undefined
  const books = new Map<string, Levels>()
  for (const entry of list) {
    const ticker = objectOf(entry)['ticker']
    const levels = levelsIn(entry)
    if (typeof ticker === 'string' && levels !== undefined) books.set(ticker, levels)
  }
  return books
}

function levelsIn(value: unknown): Levels | undefined {
  const book = objectOf(value)['orderbook_fp']
  if (typeof book !== 'object' || book === null) return undefined
  const { yes_dollars: yes, no_dollars: no } = book as { yes_dollars?: unknown; no_dollars?: unknown }
  return levelsOf(yes, no)
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
