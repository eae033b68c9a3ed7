// Reads Kalshi's messages: the envelope {type, sid, seq, msg}, and the flat form of older archives.

import { amount, instantNs, ONE, timeNs } from './exact.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import type { Message, Reading, RecordType } from './message.ts'

const TYPES = new Map<string, RecordType>([
  ['orderbook_snapshot', 'snapshot'],
  ['orderbook_delta', 'delta'],
  ['trade', 'trade'],
])
const FLAT_TYPES = new Map<string, RecordType>([
  ['snapshot', 'snapshot'],
  ['delta', 'delta'],
  ['trade', 'trade'],
])
export const TICKER = /^[A-Za-z0-9._-]{1,128}$/
const CONTROL_TYPES = ['subscribed', 'unsubscribed', 'ok', 'error', 'heartbeat', 'ping', 'pong']

/** Types of messages that Kalshi sends only to the recording account itself; they hold no market data. */
const PRIVATE_TYPES = [
  ...['fill', 'fills', 'user_order', 'user_orders', 'market_position', 'market_positions'],
  ...['order_group_update', 'order_group_updates', 'quote_created', 'quote_accepted', 'quote_executed'],
]

/** Removes from a message, or from a record of it, the fields that only the owner of an order receives. */
export function publicPart(message: JsonObject): JsonObject {
  const { msg, ticker } = message
  const isKalshi = typeof ticker === 'string' || (isObject(msg) && typeof msg['market_ticker'] === 'string')
  return isKalshi ? withoutPrivate(message) : message
}

function withoutPrivate({ client_order_id: _, subaccount: __, ...rest }: JsonObject): JsonObject {
  return isObject(rest['msg']) ? { ...rest, msg: withoutPrivate(rest['msg']) } : rest
}

const SIDES = ['yes', 'no'].map((side) => [`${side}_dollars_fp`, `${side}_dollars`, side])

/** Returns whether no book can hold the content of the message; such a message is stored as "other". */
function isOfNoBook(type: RecordType, body: JsonObject): boolean {
  if (type === 'delta') return typeof body['side'] === 'string' && !['yes', 'no'].includes(body['side'])
  if (type === 'trade') {
    const key = ['yes_price_dollars', 'yes_price', 'price_dollars', 'price'].find(
      (name) => (body[name] ?? null) !== null,
    )
    const hasSize = ['count_fp', 'count', 'size'].some((name) => (body[name] ?? null) !== null)
    return hasSize && key !== undefined && isBeyond(key, body[key])
  }
  if (type !== 'snapshot') return false
  const present = SIDES.map((keys) => keys.find((key) => (body[key] ?? null) !== null))
  const others = Object.entries(body).filter(([key]) => !SIDES.flat().includes(key))
  if (present.includes(undefined) && others.some(([, value]) => holdsList(value))) return true
  return present.some((key) => {
    if (key === undefined) return false
    const list = body[key]
    if (!Array.isArray(list)) return true
    const levels = list.filter((level) => Array.isArray(level) && level.length > 1) as Json[][]
    const prices = list.flatMap((level) => (Array.isArray(level) ? [level[0]] : []))
    return (list.length > 0 && levels.length === 0) || prices.some((price) => isBeyond(key, price))
  })
}

export const holdsList = (value: Json): boolean =>
  Array.isArray(value) || (isObject(value) && Object.values(value).some(holdsList))

/** Returns whether a price is outside 0 to 1. */
export function isBeyond(key: string, value: Json | undefined): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false
  const isCents = !key.includes('dollars') && !String(value).includes('.')
  const price = Number(value) / (isCents ? 100 : 1)
  return price < -1e-9 || price > 1 + 1e-9
}

/** Returns whether an object with a `type` is a message of Kalshi. A description of a market may have a `type`, too. */
export function looksLikeKalshi(message: JsonObject): boolean {
  const { type, msg, ticker } = message
  if (typeof type !== 'string') return false
  const isNamed = [...PRIVATE_TYPES, ...CONTROL_TYPES].includes(type)
  return isNamed || isObject(msg) || 'sid' in message || typeof ticker === 'string'
}

export function readKalshi(message: JsonObject, receivedAt: number | null): Reading {
  const { msg } = message
  const type = String(message['type'])
  if (PRIVATE_TYPES.includes(type)) return { skipped: type }
  if (isObject(msg) && typeof msg['market_ticker'] === 'string') {
    if (!TICKER.test(msg['market_ticker'])) return { rejected: 'no ticker' }
    return { messages: [enveloped(type, message, msg, receivedAt)] }
  }
  if (CONTROL_TYPES.includes(type)) return { skipped: type }
  if (typeof message['ticker'] !== 'string') return { rejected: `a Kalshi "${type}" names no market` }
  if (!TICKER.test(message['ticker'])) return { rejected: 'no ticker' }
  const isAlone = Object.keys(message).length === 3
  if (type === 'trade' && isObject(msg) && isAlone && isPublishedTrade(msg)) {
    return { messages: [published(message['ticker'], msg, receivedAt)] }
  }
  const keys = ['timestamp', 'ts_ms', 'ts']
  const printed = message[printedKey(message, keys) ?? '']
  const flatType = FLAT_TYPES.get(type) ?? 'other'
  const recordType = isOfNoBook(flatType, message) ? 'other' : flatType
  const record = kalshiMessage(message['ticker'], recordType, message, timeIn(message, keys), receivedAt)
  return { messages: [{ ...record, fullNs: typeof printed === 'string' ? instantNs(printed) : undefined }] }
}

/** Returns the time of a trade of the REST API or of a daily file; undefined for any other message. */
const publishedTime = ({ trade_id: id, created_time: rest, ticker_name: name, create_ts: day }: JsonObject) =>
  typeof id === 'string' && typeof rest === 'string' ? rest : typeof name === 'string' ? day : undefined
export const isPublishedTrade = (msg: JsonObject) => typeof publishedTime(msg) === 'string'

function published(ticker: string, msg: JsonObject, receivedAt: number | null): Message {
  const time = publishedTime(msg)
  const record = kalshiMessage(ticker, 'trade', msg, timeNs(time), receivedAt)
  return { ...record, fullNs: instantNs(String(time)) }
}

function enveloped(wireType: string, message: JsonObject, msg: JsonObject, receivedAt: number | null): Message {
  const wire = TYPES.get(wireType) ?? 'other'
  const type = isOfNoBook(wire, msg) ? 'other' : wire
  const venueNs = timeIn(msg, ['ts_ms', 'ts'])
  const stored = type === 'other' || !isPlainEnvelope(message) ? message : msg
  return {
    ...kalshiMessage(String(msg['market_ticker']), type, stored, venueNs, receivedAt),
    quoteNs: typeof msg['ts'] === 'string' ? timeNs(msg['ts']) : venueNs,
    fullNs: fullTimeOf(msg),
    sid: isCounter(message['sid']) ? message['sid'] + 0 : null,
    seq: isCounter(message['seq']) ? message['seq'] + 0 : null,
  }
}

// Returns whether the message has only `type`, `msg`, and a valid `sid` and `seq`. Any other message is stored whole.
const isPlainEnvelope = (message: JsonObject) =>
  Object.entries(message).every(
    ([key, value]) => key === 'type' || key === 'msg' || ((key === 'sid' || key === 'seq') && isCounter(value)),
  )
const isCounter = (value: Json | undefined): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < 1e15

function kalshiMessage(
  ticker: string,
  type: RecordType,
  msg: JsonObject,
  venueNs: bigint | undefined,
  receivedAt: number | null,
): Message {
  const market = ticker.toUpperCase()
  return {
    venue: 'kalshi',
    market,
    book: market,
    type,
    receivedAt,
    venueNs,
    quoteNs: venueNs,
    fullNs: undefined,
    givenMs: undefined,
    sid: null,
    seq: null,
    msg,
  }
}

/** Returns the first key whose value is a text or a number, even if it cannot be read. */
const printedKey = (msg: JsonObject, keys: string[]) =>
  keys.find((candidate) => typeof msg[candidate] === 'string' || typeof msg[candidate] === 'number')

function timeIn(msg: JsonObject, keys: string[]): bigint | undefined {
  const key = printedKey(msg, keys)
  return key === undefined ? undefined : timeNs(msg[key])
}

function fullTimeOf({ ts, ts_ms }: JsonObject): bigint | undefined {
  const printed = typeof ts === 'string' ? ts : ts_ms
  return typeof printed === 'string' ? instantNs(printed) : undefined
}

/** Reads a price in dollars. Older messages print whole cents, under a key without `dollars`. */
export function dollars(key: string, value: Json | undefined): bigint | undefined {
  return amount(value, !key.includes('dollars') && !String(value).includes('.'))
}

/** Returns the part about the book from a message that is stored whole. */
export const bodyOf = ({ msg, ...message }: JsonObject) =>
  isObject(msg) && typeof msg['market_ticker'] === 'string' ? msg : { msg: msg ?? null, ...message }

/** Returns the change that a delta states. */
export function deltaOf(msg: JsonObject): { side: Json | undefined; price?: bigint; amount?: bigint } {
  const priceKey = firstKey(msg, ['price_dollars', 'price'])
  const price = dollars(priceKey, msg[priceKey])
  const change = amount(msg[firstKey(msg, ['delta_fp', 'delta'])])
  if (price === undefined || change === undefined) return { side: msg['side'] }
  return { side: msg['side'], price, amount: change }
}

/** Returns the bids of one side of a snapshot, as stated. */
export function levelsOf(msg: JsonObject, side: 'yes' | 'no'): { price: bigint; size: bigint }[] {
  const key = firstKey(msg, [`${side}_dollars_fp`, `${side}_dollars`, side])
  const levels = msg[key]
  if (!Array.isArray(levels)) return []
  return levels.flatMap((level) => {
    if (!Array.isArray(level)) return []
    const price = dollars(key, level[0])
    const size = amount(level[1])
    return price === undefined || size === undefined ? [] : [{ price, size }]
  })
}

const firstKey = (msg: JsonObject, keys: string[]) => keys.find((key) => (msg[key] ?? null) !== null) ?? keys[0]!

// Finds the scale of NO prices: as the capture states it, else as the user states it, else from the snapshots.

export type Scale = 'yes' | 'no'
export type GivenScale = Scale | 'snapshots'

/** Returns the scale that a recorder's line states. Returns `default` for a command that subscribes to books without a
 *  scale, and undefined for any other line. */
export function scaleIn(value: JsonObject): Scale | 'default' | undefined {
  const { backbook, cmd, params } = value
  const command = cmd === 'subscribe' && isObject(params) ? params : undefined
  const usesYesPrice = (backbook === 'segment' ? value : command)?.['use_yes_price']
  if (typeof usesYesPrice === 'boolean') return usesYesPrice ? 'yes' : 'no'
  const channels = command?.['channels']
  return Array.isArray(channels) && channels.includes('orderbook_delta') ? 'default' : undefined
}

/** Returns the scale of a capture's NO prices, or null if the capture must be refused. */
export function scaleOf(messages: Message[], scales: (Scale | 'default')[], given: GivenScale): Scale | null {
  const stated = scales.filter((scale) => scale !== 'default')
  if (new Set(stated).size > 1 || (stated[0] === 'yes' && stated.length < scales.length)) return null
  if (stated[0] !== undefined) return stated[0]
  if (given !== 'snapshots') return given
  const books = messages.filter(isOfSocket).filter(({ type }) => type === 'snapshot')
  const sides = books.map(({ msg }) => [levelsOf(bodyOf(msg), 'yes'), levelsOf(bodyOf(msg), 'no')] as const)
  const [asNo, asYes] = [(price: bigint) => ONE - price, (price: bigint) => price].map((askOf) =>
    sides.some(([yes, no]) => yes.some((bid) => no.some(({ price }) => bid.price >= askOf(price)))),
  )
  if (asNo && asYes) return null
  return asNo ? 'yes' : 'no'
}

/** Returns whether a Kalshi message came from the socket. Books of the REST API have a fixed scale. */
export const isOfSocket = ({ venue, msg }: Message): boolean =>
  venue === 'kalshi' && !('orderbook' in msg) && !('orderbook_fp' in msg)
