// Lists the data that Kalshi sends only to the account that is connected (docs.kalshi.com/asyncapi.yaml). It is not
// market data. A server gives stored data to every API key, so this data is left out.

import { isObject, type JsonObject } from '../described-message.ts'

/** Message types of the channels fill, user_orders, market_positions and order_group_updates, and of the account's
 *  own quotes on the channel communications. The names of channels are included as well, because recorders use both
 *  names. */
export const PRIVATE_TYPES: ReadonlySet<string> = new Set([
  ...['fill', 'fills', 'user_order', 'user_orders', 'market_position', 'market_positions'],
  ...['order_group_update', 'order_group_updates', 'quote_created', 'quote_accepted', 'quote_executed'],
])

/** Fields that a public message has only for the account that placed the order. */
export const PRIVATE_KEYS: ReadonlySet<string> = new Set(['client_order_id', 'subaccount'])

/** Returns whether a Kalshi message, or a printed record of one, has fields that only one account receives. */
export function hasPrivateFields(message: JsonObject): boolean {
  const { ticker, msg } = message
  const isKalshi = typeof ticker === 'string' || (isObject(msg) && typeof msg['market_ticker'] === 'string')
  return isKalshi && isPrivate(message)
}

function isPrivate(body: JsonObject): boolean {
  if (Object.keys(body).some((key) => PRIVATE_KEYS.has(key))) return true
  return isObject(body['msg']) && isPrivate(body['msg'])
}
