// Kalshi's messages (VENUES.md 3): the envelope {type, sid, seq, msg}, and the flat form of older archives.

import { decimal, timeNs } from './exact.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import type { Message, Reading, RecordType } from './message.ts'

const TYPES: Record<string, RecordType> = { orderbook_snapshot: 'snapshot', orderbook_delta: 'delta', trade: 'trade' }
const FLAT_TYPES: Record<string, RecordType> = { snapshot: 'snapshot', delta: 'delta', trade: 'trade' }
const CONTROL_TYPES = ['subscribed', 'unsubscribed', 'ok', 'error', 'heartbeat', 'ping', 'pong']

export const looksLikeKalshi = (message: JsonObject) => typeof message['type'] === 'string'

export function readKalshi(message: JsonObject, receivedAt: number | null): Reading {
  const { msg } = message
  const type = String(message['type'])
  if (isObject(msg) && typeof msg['market_ticker'] === 'string') {
    return { messages: [enveloped(type, message, msg, receivedAt)] }
  }
  if (CONTROL_TYPES.includes(type)) return { skipped: type }
  if (typeof message['ticker'] !== 'string') return { rejected: `a Kalshi "${type}" names no market` }
  const venueNs = timeNs(message['timestamp']) ?? timeNs(message['ts_ms']) ?? timeNs(message['ts'])
  return { messages: [kalshiMessage(message['ticker'], FLAT_TYPES[type] ?? 'other', message, venueNs, receivedAt)] }
}

function enveloped(wireType: string, message: JsonObject, msg: JsonObject, receivedAt: number | null): Message {
  const type = TYPES[wireType] ?? 'other'
  const venueNs = timeNs(msg['ts_ms']) ?? timeNs(msg['ts'])
  const kept = type === 'other' ? message : msg
  return {
    ...kalshiMessage(String(msg['market_ticker']), type, kept, venueNs, receivedAt),
    quoteNs: typeof msg['ts'] === 'string' ? timeNs(msg['ts']) : venueNs,
    sid: typeof message['sid'] === 'number' ? message['sid'] : null,
    seq: typeof message['seq'] === 'number' ? message['seq'] : null,
  }
}

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
    sid: null,
    seq: null,
    msg,
  }
}

/** A price in dollars. Older messages print whole cents, under a key without `dollars`. */
export function dollars(key: string, value: Json | undefined): bigint | undefined {
  const units = decimal(value)
  const isCents = !key.includes('dollars') && !String(value).includes('.')
  return units !== undefined && isCents ? units / 100n : units
}

/** The change that a delta states. */
export function deltaOf(msg: JsonObject): { side: Json | undefined; price?: bigint; amount?: bigint } {
  const priceKey = firstKey(msg, ['price_dollars', 'price'])
  const price = dollars(priceKey, msg[priceKey])
  const amount = decimal(msg[firstKey(msg, ['delta_fp', 'delta'])])
  if (price === undefined || amount === undefined) return { side: msg['side'] }
  return { side: msg['side'], price, amount }
}

/** The bids of one side of a snapshot, as stated: `[price, size]` each. */
export function levelsOf(msg: JsonObject, side: 'yes' | 'no'): { price: bigint; size: bigint }[] {
  const key = firstKey(msg, [`${side}_dollars_fp`, `${side}_dollars`, side])
  const levels = msg[key]
  if (!Array.isArray(levels)) return []
  return levels.flatMap((level) => {
    if (!Array.isArray(level)) return []
    const price = dollars(key, level[0])
    const size = decimal(level[1])
    return price === undefined || size === undefined ? [] : [{ price, size }]
  })
}

const firstKey = (msg: JsonObject, keys: string[]) => keys.find((key) => (msg[key] ?? null) !== null) ?? keys[0]!
