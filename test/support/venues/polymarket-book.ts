// The book of a market with two outcomes, as the Polymarket test server stores it. The second token has the mirrored
// book of the first.

import { polymarketBookHash } from '../../../workers/venues/polymarket/book-hash.ts'

export type BookSide = 'BUY' | 'SELL'
type Levels = Map<number, number>

const MIN_ORDER_SIZE = '5'
const TICK_SIZE = '0.001'

export class PolymarketBook {
  readonly market: string
  readonly tokens: readonly [string, string]
  /** Size in hundredths of a share, by price in thousandths of a dollar, for the first token. */
  readonly #bids: Levels = new Map()
  readonly #asks: Levels = new Map()
  #timestampMs = 0
  #lastTrade = ''

  constructor(market: string, tokens: readonly [string, string]) {
    this.market = market
    this.tokens = tokens
  }

  set(token: string, side: BookSide, price: number, size: number, nowMs: number): void {
    const isFirst = token === this.tokens[0]
    const levels = (side === 'BUY') === isFirst ? this.#bids : this.#asks
    const at = isFirst ? price : 1_000 - price
    if (size > 0) levels.set(at, size)
    else levels.delete(at)
    this.#timestampMs = nowMs
  }

  traded(price: number): void {
    this.#lastTrade = (price / 1_000).toFixed(3)
  }

  hash(token: string): string {
    return String(this.rest(token)['hash'])
  }

  /** Returns the book as the socket first sends it. */
  snapshot(token: string): Record<string, unknown> {
    const { min_order_size: _, neg_risk: __, ...rest } = this.rest(token)
    return { ...rest, event_type: 'book' }
  }

  /** Returns the book as REST returns it. */
  rest(token: string): Record<string, unknown> {
    const [bids, asks] = [this.#printed(token, 'BUY'), this.#printed(token, 'SELL')]
    const named = { market: this.market, timestamp: String(this.#timestampMs) }
    const extra = { minOrderSize: MIN_ORDER_SIZE, tickSize: TICK_SIZE, negRisk: false, lastTradePrice: this.#lastTrade }
    const pairs = (levels: { price: string; size: string }[]) => levels.map(({ price, size }) => [price, size] as const)
    const hash = polymarketBookHash({ ...named, assetId: token, bids: pairs(bids), asks: pairs(asks) }, extra)
    return {
      ...{ market: this.market, asset_id: token, timestamp: named.timestamp, hash, bids, asks },
      ...{ min_order_size: MIN_ORDER_SIZE, tick_size: TICK_SIZE, neg_risk: false, last_trade_price: this.#lastTrade },
    }
  }

  /** Returns the levels of a side. Bids ascend and asks descend, so the best level is the last. */
  #printed(token: string, side: BookSide): { price: string; size: string }[] {
    const isFirst = token === this.tokens[0]
    const levels = [...((side === 'BUY') === isFirst ? this.#bids : this.#asks)]
    const turned = levels.map(([price, size]) => [isFirst ? price : 1_000 - price, size] as const)
    turned.sort(([a], [b]) => (side === 'BUY' ? a - b : b - a))
    return turned.map(([price, size]) => ({ price: priceText(price), size: sizeText(size) }))
  }
}

export const priceText = (price: number): string => String(price / 1_000)
export const sizeText = (size: number): string => String(size / 100)
