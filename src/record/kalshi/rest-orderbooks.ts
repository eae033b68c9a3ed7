// Order books as Kalshi's REST tells them (docs.kalshi.com, GetMarketOrderbook and GetMarketOrderbooks): bids of both
// sides, without a time. A body of one market does not name it.

import type { Levels } from '../audit/levels.ts'
import { levelsOf } from './level-book.ts'

/** Markets that one request may name. */
export const ORDERBOOKS_MAX = 100

/** All levels. */
export const orderbookPath = (ticker: string): string => `/markets/${encodeURIComponent(ticker)}/orderbook?depth=0`

/** The parameter is repeated: Kalshi reads a list with commas as one ticker, and answers an empty book. */
export const orderbooksPath = (tickers: readonly string[]): string =>
  `/markets/orderbooks?${tickers.map((ticker) => `tickers=${encodeURIComponent(ticker)}`).join('&')}`

/** Undefined where the body is no order book. */
export const readOrderbook = (body: string): Levels | undefined => levelsIn(parsed(body))

/** By ticker; undefined where the body is no list of order books. A book that cannot be read is left out. */
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
