// Describes Kalshi's WebSocket messages (docs.kalshi.com/asyncapi.yaml): orderbook_snapshot, orderbook_delta and trade,
// in the `_dollars`/`_fp` form and the older one in cents. Also describes the flat form of older archives.

import { TICKER } from '../../../storage/venues/kalshi.ts'
import {
  type DescribedMessage,
  emptyDescription,
  isObject,
  type JsonObject,
  type NoRecord,
  quoted,
} from '../described-message.ts'
import { asOther, bookFault, isOutside, OUTSIDE, UNKNOWN_SIDE } from '../unreadable.ts'
import {
  CHANGE_PRICE_KEYS,
  CHANGE_SIZE_KEYS,
  firstKey,
  SIDES,
  sideKeys,
  TAKER_KEYS,
  TRADE_PRICE_KEYS,
  TRADE_SIZE_KEYS,
} from './kalshi-keys.ts'
import { publishedTrade } from './kalshi-trades.ts'
import { PRIVATE_TYPES } from './private-data.ts'

const CONTROL_TYPES = new Set(['subscribed', 'unsubscribed', 'ok', 'error', 'heartbeat', 'pong', 'ping'])
const KIND_OF_TYPE = { orderbook_snapshot: 'snapshot', orderbook_delta: 'delta', trade: 'trade' } as const
const KIND_OF_FLAT_TYPE = { snapshot: 'snapshot', delta: 'delta', trade: 'trade' } as const

/** Returns the description of a message; undefined if it is not a Kalshi message. */
export function describeKalshi(message: JsonObject): DescribedMessage | NoRecord | undefined {
  const { type, msg } = message
  if (typeof message['cmd'] === 'string' && isObject(message['params'])) return { skip: `command ${message['cmd']}` }
  if (typeof type !== 'string') return undefined
  if (PRIVATE_TYPES.has(type)) return { skip: `private ${type}` }
  if (isObject(msg) && typeof msg['market_ticker'] === 'string') {
    if (!TICKER.test(msg['market_ticker'])) return { reject: `not a Kalshi ticker: ${quoted(msg['market_ticker'])}` }
    const whole = describeOther(message, msg)
    const fault = faultOf(whole, msg)
    if (fault !== undefined) return asOther(whole, fault)
    return Object.hasOwn(KIND_OF_TYPE, type) && hasPlainEnvelope(message)
      ? { ...describeEnveloped(KIND_OF_TYPE[type as keyof typeof KIND_OF_TYPE], msg), envelopeType: type }
      : whole
  }
  if (CONTROL_TYPES.has(type)) return { skip: type }
  if (typeof message['ticker'] === 'string') {
    if (!TICKER.test(message['ticker'])) return { reject: `not a Kalshi ticker: ${quoted(message['ticker'])}` }
    if (type === REST_BOOK && isObject(msg) && isRestBook(msg)) return describeRestBook(msg)
    if (type === 'trade' && isObject(msg) && Object.keys(message).length === TRADE_KEYS) {
      const published = describePublishedTrade(msg)
      if (published !== undefined) return published
    }
    return readable(describeFlat(type, message), message)
  }
  return isObject(msg) || 'sid' in message ? { reject: `a ${quoted(type)} message names no market` } : undefined
}

/** Describes a record that has only the part of a message that is under `msg`. Returns undefined if the record has a
 *  whole message. */
export function describePart(kind: unknown, msg: JsonObject): DescribedMessage | NoRecord | undefined {
  if (typeof msg['market_ticker'] !== 'string') return undefined
  if (!TICKER.test(msg['market_ticker'])) return { reject: `not a Kalshi ticker: ${quoted(msg['market_ticker'])}` }
  const type = Object.entries(KIND_OF_TYPE).find(([, name]) => name === kind)?.[0]
  if (type !== undefined) {
    const part = describeEnveloped(KIND_OF_TYPE[type as keyof typeof KIND_OF_TYPE], msg)
    return readable({ ...part, envelopeType: type }, msg)
  }
  const eventTime = timeIn(msg, 'msg.')
  const counters = { sid: 'sid', seq: 'seq' }
  return kind === 'other'
    ? { ...other('msg', 'msg.market_ticker'), ...counters, eventTime, quoteTime: eventTime }
    : undefined
}

/** Returns the description. If no book can apply the message, returns its description as kind `other`. `body` is the
 *  part of the message that describes the book. */
function readable(described: DescribedMessage, body: JsonObject): DescribedMessage {
  const fault = faultOf(described, body)
  return fault === undefined ? described : asOther(described, fault)
}

function faultOf({ kind, levels, trade }: DescribedMessage, body: JsonObject): string | undefined {
  const { side } = body
  if (kind === 'delta') return typeof side === 'string' && side !== 'yes' && side !== 'no' ? UNKNOWN_SIDE : undefined
  if (kind === 'trade') {
    return trade !== null && isOutside(body[keyOf(trade.price.path)], trade.price.mayBeCents) ? OUTSIDE : undefined
  }
  if (kind !== 'snapshot') return undefined
  const sides = SIDES.map((name) => firstKey(body, sideKeys(name)))
  const isKnownKey = (key: string) => SIDES.some((name) => sideKeys(name).includes(key))
  const fault = bookFault(body, sides, isKnownKey, (level) => Array.isArray(level) && level.length > 1)
  if (fault !== undefined) return fault
  const isBeyond = levels.some(({ list, price }) => {
    const all = body[keyOf(list)] as unknown[]
    return all.some((level) => Array.isArray(level) && isOutside(level[0], price.mayBeCents))
  })
  return isBeyond ? OUTSIDE : undefined
}

/** Returns the last key of a path. */
const keyOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

/** The `type` of a stored book of the REST API. The market's ticker is stored with it: `{type, ticker, msg}`. */
export const REST_BOOK = 'orderbook'

/** Returns whether a message is an answer of GET /markets/{ticker}/orderbook, which does not name its market. */
export const isRestBook = (body: JsonObject): boolean =>
  restBookKey(body) !== undefined && Object.keys(body).every((key) => REST_BOOK_KEYS.includes(key))

/** The number of keys in `{type, ticker, msg}`. A message with more keys does not have this form: the other keys
 *  would be lost. */
const TRADE_KEYS = 3

/** Describes a trade that Kalshi publishes outside its WebSocket. The trade is under the key `msg`, next to the
 *  `ticker` of its market. Returns undefined for anything else. */
export function describePublishedTrade(body: JsonObject): DescribedMessage | undefined {
  const published = publishedTrade(body)
  if (published === undefined) return undefined
  const { eventTime } = published
  const common = other('msg', 'ticker')
  return { ...common, ...published, kind: 'trade', envelopeType: 'trade', quoteTime: eventTime }
}

/** Keys of the book in an answer, the newer key first. While Kalshi changed keys, answers had both. The newer one is
 *  more exact. */
const REST_BOOK_KEYS = ['orderbook_fp', 'orderbook']
const restBookKey = (body: JsonObject) => REST_BOOK_KEYS.find((key) => isObject(body[key]))

/** Describes a book of the REST API. The book is under the key `msg`, next to the `ticker` of its market. Its NO prices
 *  are never on the YES scale. */
export function describeRestBook(body: JsonObject): DescribedMessage {
  const key = restBookKey(body)!
  const book = body[key] as JsonObject
  const levels = levelsIn(book, `msg.${key}.`)
  const common = { ...other('msg', 'ticker'), hasNoPrices: false }
  return readable({ ...common, kind: 'snapshot', envelopeType: REST_BOOK, levels }, book)
}

// Returns whether a message has no other keys than `type`, `msg`, `sid` and `seq`. Other keys would be lost with the
// envelope, so a message that has them is stored whole.
function hasPlainEnvelope(message: JsonObject): boolean {
  return Object.entries(message).every(
    ([key, value]) => key === 'type' || key === 'msg' || ((key === 'sid' || key === 'seq') && isCounter(value)),
  )
}

const isCounter = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < 1e15

function describeEnveloped(kind: 'snapshot' | 'delta' | 'trade', msg: JsonObject): DescribedMessage {
  const description: DescribedMessage = {
    ...other('msg', 'msg.market_ticker'),
    kind,
    sid: 'sid',
    seq: 'seq',
    eventTime: timeIn(msg, 'msg.'),
    quoteTime: typeof msg['ts'] === 'string' ? 'msg.ts' : timeIn(msg, 'msg.'),
  }
  if (kind === 'delta') description.changes = changesIn(msg, 'msg.')
  if (kind === 'snapshot') description.levels = levelsIn(msg, 'msg.')
  if (kind === 'trade') description.trade = tradeIn(msg, 'msg.')
  return description
}

function describeOther(message: JsonObject, msg: JsonObject): DescribedMessage {
  const time = timeIn(msg, 'msg.')
  const isKnown = Object.hasOwn(KIND_OF_TYPE, String(message['type']))
  return {
    ...other('', 'msg.market_ticker'),
    eventTime: time,
    quoteTime: time,
    ...(isKnown ? describeEnveloped(KIND_OF_TYPE[message['type'] as keyof typeof KIND_OF_TYPE], msg) : {}),
    msg: '',
    sid: isCounter(message['sid']) ? 'sid' : null,
    seq: isCounter(message['seq']) ? 'seq' : null,
    isSingular: ['sid', 'seq'].some((key) => Object.hasOwn(message, key) && !isCounter(message[key])),
  }
}

function describeFlat(type: string, message: JsonObject): DescribedMessage {
  const kind = Object.hasOwn(KIND_OF_FLAT_TYPE, type)
    ? KIND_OF_FLAT_TYPE[type as keyof typeof KIND_OF_FLAT_TYPE]
    : 'other'
  const time = isPrinted(message['timestamp']) ? 'timestamp' : timeIn(message, '')
  return {
    ...other('', 'ticker'),
    kind,
    eventTime: time,
    quoteTime: time,
    changes: kind === 'delta' ? changesIn(message, '') : null,
    levels: kind === 'snapshot' ? levelsIn(message, '') : [],
    trade: kind === 'trade' ? tradeIn(message, '') : null,
  }
}

const other = (msg: string, market: string): DescribedMessage => ({
  ...emptyDescription({
    ...{ venue: 'kalshi', kind: 'other', msg, envelopeType: null, market },
    book: { path: market, list: null },
  }),
  hasNoPrices: true,
})

/** Returns the path of the time: `ts_ms` if present, otherwise `ts`. `ts` is RFC 3339 in deltas and seconds in trades.
 *  Returns null if the message has no time. */
function timeIn(msg: JsonObject, prefix: string): string | null {
  if (isPrinted(msg['ts_ms'])) return `${prefix}ts_ms`
  return isPrinted(msg['ts']) ? `${prefix}ts` : null
}

const isPrinted = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'

/** Describes the changes of a message. Values are dollars if the key says so or if they have a decimal point, else
 *  cents (until 2026-03-12). */
function changesIn(msg: JsonObject, prefix: string): DescribedMessage['changes'] {
  const priceKey = firstKey(msg, CHANGE_PRICE_KEYS)
  const sizeKey = firstKey(msg, CHANGE_SIZE_KEYS)
  if (priceKey === undefined || sizeKey === undefined || typeof msg['side'] !== 'string') return null
  return {
    list: null,
    price: { path: prefix + priceKey, mayBeCents: !priceKey.includes('dollars') },
    size: { path: prefix + sizeKey, mayBeCents: false },
    side: `${prefix}side`,
    isSigned: true,
  }
}

/** Describes a trade. The price is the YES price. */
function tradeIn(msg: JsonObject, prefix: string): DescribedMessage['trade'] {
  const price = firstKey(msg, TRADE_PRICE_KEYS)
  const size = firstKey(msg, TRADE_SIZE_KEYS)
  if (price === undefined || size === undefined) return null
  const side = firstKey(msg, TAKER_KEYS)
  return {
    price: { path: prefix + price, mayBeCents: !price.includes('dollars') },
    size: { path: prefix + size, mayBeCents: false },
    side: side === undefined ? null : prefix + side,
    sideMeaning: side === 'taker_book_side' ? 'book_side' : 'outcome',
    id: `${prefix}trade_id`,
  }
}

function levelsIn(msg: JsonObject, prefix: string): DescribedMessage['levels'] {
  return SIDES.map((side) => levelsOfSide(msg, prefix, side)).filter((levels) => levels !== undefined)
}

function levelsOfSide(msg: JsonObject, prefix: string, side: 'yes' | 'no') {
  const key = firstKey(msg, sideKeys(side))
  if (key === undefined) return undefined
  const list = prefix + key
  return {
    list,
    side: side === 'yes' ? ('bid' as const) : ('ask' as const),
    price: { path: `${list}[][0]`, mayBeCents: !key.includes('dollars') },
    size: { path: `${list}[][1]`, mayBeCents: false },
    isComplement: side === 'no',
  }
}
