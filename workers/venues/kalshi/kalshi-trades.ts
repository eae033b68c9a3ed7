// Describes trades that Kalshi publishes outside its WebSocket. A trade is under the key `msg`, next to the `ticker` of
// its market. The trades come from GET /markets/trades or /historical/trades (docs.kalshi.com), or from a file of a
// day's trades.

import type { DescribedMessage, JsonObject } from '../described-message.ts'

type TradePaths = Pick<DescribedMessage, 'eventTime' | 'trade'>

/** Returns the paths of a trade's values; undefined if the body is not such a trade. */
export function publishedTrade(body: JsonObject): TradePaths | undefined {
  if (isText(body['trade_id']) && isText(body['created_time'])) return restTrade(body)
  if (isText(body['ticker_name']) && isText(body['create_ts'])) return dayTrade()
  return undefined
}

/** Describes a trade of the REST API. Prices are YES prices: in dollars if the key says so or if they have a decimal
 *  point, else in cents. */
function restTrade(body: JsonObject): TradePaths {
  const price = PRICE_KEYS.find((key) => isPrinted(body[key]))
  const size = SIZE_KEYS.find((key) => isPrinted(body[key]))
  const side = SIDE_KEYS.find((key) => isText(body[key]))
  if (price === undefined || size === undefined) return { eventTime: 'msg.created_time', trade: null }
  return {
    eventTime: 'msg.created_time',
    trade: {
      price: { path: `msg.${price}`, mayBeCents: !price.includes('dollars') },
      size: { path: `msg.${size}`, mayBeCents: false },
      side: side === undefined ? null : `msg.${side}`,
      sideMeaning: side === 'taker_book_side' ? 'book_side' : 'outcome',
      id: 'msg.trade_id',
    },
  }
}

/** Describes a trade from a file of a day's trades. Such a trade has no side and no id. */
function dayTrade(): TradePaths {
  return {
    eventTime: 'msg.create_ts',
    trade: {
      price: { path: 'msg.price', mayBeCents: true },
      size: { path: 'msg.contracts_traded', mayBeCents: false },
      side: null,
      sideMeaning: 'outcome',
      id: null,
    },
  }
}

const PRICE_KEYS = ['yes_price_dollars', 'yes_price']
const SIZE_KEYS = ['count_fp', 'count']
const SIDE_KEYS = ['taker_side', 'taker_outcome_side', 'taker_book_side']

const isText = (value: unknown): boolean => typeof value === 'string'
const isPrinted = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'
