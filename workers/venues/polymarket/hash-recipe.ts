// Finds what a hash covers in addition to the book (book-hash.ts), as far as the records show. WebSocket messages do
// not state the smallest order, nor whether the market belongs to a group, so both are found by trial. A hash has 160
// bits, so a trial does not agree by chance.

import type { RecordKind } from '../../../storage/format/shape.ts'
import type { BookHashExtra, TextOf } from './book-hash.ts'

/** Parameters of a hash. Null is the recipe until about 2025-01, which hashes the book alone. */
export type HashRecipe = { minOrderSize: string; negRisk: boolean; hasTradePrice: boolean } | null

/** Known inputs of a hash. `recipe` and `tickSize` are undefined if unknown. `tradePrices` are prices of the market's
 *  trades, whichever token was traded, newest first. */
export type HashFacts = {
  recipe: HashRecipe | undefined
  tickSize: string | undefined
  tradePrices: readonly string[]
}

const MIN_ORDER_SIZES = ['5', '1', '15', '10', '20', '0']
export const HASH_RECIPES: readonly HashRecipe[] = [
  null,
  ...[true, false].flatMap((hasTradePrice) => MIN_ORDER_SIZES.flatMap((size) => recipesOfMarket(size, hasTradePrice))),
]
const TICK_SIZES = ['0.01', '0.001', '0.1', '0.0001']
/** Maximum number of trade prices to try. One order can trade at several prices, and the venue sends one message for
 *  each. */
export const TRADE_PRICES_MAX = 8
/** Maximum delay of a trade message, ms: the venue may include a trade in its hashes this long before it sends the
 *  trade. */
export const TRADE_LATE_MS = 1_000
/** Maximum number of changed prices to try from one batch. A trade may have taken the changed levels, so their prices
 *  may be trade prices. */
const BATCH_PRICES_MAX = 16
const PRICE_KEYS: Partial<Record<RecordKind, string>> = { snapshot: 'last_trade_price', trade: 'price' }

/** Returns the recipes for a market whose smallest order is known. */
export function recipesOfMarket(minOrderSize: string, hasTradePrice: boolean): HashRecipe[] {
  return [true, false].map((negRisk) => ({ minOrderSize, negRisk, hasTradePrice }))
}

/** Returns the sets of fields that the hash may contain. An undefined item means the oldest recipe, which has no such
 *  fields. */
export function hashExtras({ recipe, tickSize, tradePrices }: HashFacts): (BookHashExtra | undefined)[] {
  if (recipe === undefined) return HASH_RECIPES.flatMap((known) => hashExtras({ recipe: known, tickSize, tradePrices }))
  if (recipe === null) return [undefined]
  const tickSizes = tickSize === undefined ? TICK_SIZES : [tickSize]
  const { hasTradePrice, ...market } = recipe
  const prices = hasTradePrice ? [...tradePrices, ...tradePrices.flatMap(ofOtherToken)] : [null]
  return tickSizes.flatMap((size) => prices.map((lastTradePrice) => ({ ...market, tickSize: size, lastTradePrice })))
}

/** Returns a price as the venue prints it in a hash: with three decimals, or empty before the first trade. */
export const hashedTradePrice = (price: string): string =>
  price === '' || /\.\d{3}/.test(price) ? price : Number(price).toFixed(3)

/** Returns the price of the other token that corresponds to a trade price. It is needed because a trade of the other
 *  token may be reported at this token's price. Returns an empty list if `price` is not a number. */
function ofOtherToken(price: string): string[] {
  const other = 1 - Number(price)
  return price === '' || Number.isNaN(other) ? [] : [other.toFixed(Math.min(price.length - price.indexOf('.') - 1, 6))]
}

/** Returns the prices of changed levels in the form that the venue hashes. */
export const batchTradePrices = (prices: readonly string[]): string[] =>
  [...new Set(prices.map(hashedTradePrice))].slice(0, BATCH_PRICES_MAX)

/** Returns the price of the market's last trade, in the form in which the venue hashes it. Returns undefined if the
 *  record does not state this price. */
export function tradePriceIn(kind: RecordKind, textOf: TextOf): string | undefined {
  const key = PRICE_KEYS[kind]
  const price = key === undefined ? undefined : textOf(key)
  return price === undefined ? undefined : hashedTradePrice(price)
}
