// Holds a Kalshi book, which is checked for contradictions and compared with REST. Also reads the order books of
// Kalshi's REST (docs.kalshi.com, GetMarketOrderbook and GetMarketOrderbooks). These have the bids for YES and the
// bids for NO, but no time. The body for one market does not name the market.

import { haveMet } from '../../../../workers/book/order-book.ts'
import { type Impossible, impossibleIn } from '../../../../workers/book/shape-cursor.ts'
import { isObject } from '../../../../workers/venues/described-message.ts'
import { type Levels, microsOf, SignedBook, signedLevels, signedPrice } from '../../audit/audited-book.ts'

const SIGNS: Readonly<Record<string, 1 | -1>> = { yes: 1, no: -1 }

export class LevelBook extends SignedBook {
  /** Why the last change is impossible; undefined if it is possible, or if the book was not known. */
  impossible: Impossible | undefined

  /** Replaces the book. `msg` is the field `msg` of an `orderbook_snapshot`. */
  replace(msg: Record<string, unknown>): void {
    this.become(levelsOf(msg['yes_dollars_fp'], msg['no_dollars_fp']))
  }

  /** Applies a change. `msg` is the field `msg` of an `orderbook_delta`. */
  apply(msg: Record<string, unknown>): void {
    const price = signedPrice(msg['price_dollars'], SIGNS[String(msg['side'])])
    const change = microsOf(msg['delta_fp'])
    const size = price === undefined || change === undefined ? undefined : (this.levels.get(price) ?? 0) + change
    this.impossible = this.isKnown ? impossibleIn(size ?? Number.NaN, true) : undefined
    this.set(price, size)
  }

  /** The best bids for YES and for NO in 1e-6 dollars; -1 if there is none. */
  get bests(): readonly [yes: number, no: number] {
    let [yes, no] = [-1, -1]
    for (const price of this.levels.keys()) {
      if (price > yes) yes = price
      if (-price > no) no = -price
    }
    return [yes, no]
  }

  /** Whether the best bids for YES and NO meet: the venue would have matched them. */
  get isCrossed(): boolean {
    return haveMet(...this.bests)
  }
}

/** Parses two lists of `[price, size]` in the form that Kalshi sends. A list is absent if its side is empty. Returns
 *  undefined if a level cannot be parsed. */
export const levelsOf = (yes: unknown, no: unknown): Levels | undefined =>
  signedLevels(yes ?? [], no ?? [], (level) => (Array.isArray(level) ? [level[0], level[1]] : [undefined, undefined]))

/** Maximum number of markets in one request. */
export const ORDERBOOKS_MAX = 100

/** Returns the path that requests all levels of a market. */
export const orderbookPath = (ticker: string): string => `/markets/${encodeURIComponent(ticker)}/orderbook?depth=0`

/** Returns the path that requests several markets. The parameter is repeated, because Kalshi reads a list with commas
 *  as one ticker and returns an empty book. */
export const orderbooksPath = (tickers: readonly string[]): string =>
  `/markets/orderbooks?${tickers.map((ticker) => `tickers=${encodeURIComponent(ticker)}`).join('&')}`

/** Reads one order book. Returns undefined if the body has no order book, or one that cannot be parsed. */
export function readOrderbook(json: unknown): Levels | undefined {
  const book = isObject(json) ? json['orderbook_fp'] : undefined
  return isObject(book) ? levelsOf(book['yes_dollars'], book['no_dollars']) : undefined
}

/** Reads order books by ticker. Returns undefined if the body is not a list. Leaves out books that cannot be read. */
export function readOrderbooks(json: unknown): Map<string, Levels> | undefined {
  const list = isObject(json) ? json['orderbooks'] : undefined
  if (!Array.isArray(list)) return undefined
  const books = new Map<string, Levels>()
  for (const entry of list.filter(isObject)) {
    const { ticker } = entry
    const levels = readOrderbook(entry)
    if (typeof ticker === 'string' && levels !== undefined) books.set(ticker, levels)
  }
  return books
}
