// Reads Polymarket's messages: the type of record, and the changes or levels that a message states.

import { instantNs, timeNs } from './exact.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { holdsList, isBeyond } from './kalshi-message.ts'
import type { Message, Reading, RecordType } from './message.ts'

const TYPES = new Map<string, RecordType>([
  ['book', 'snapshot'],
  ['price_change', 'delta'],
  ['last_trade_price', 'trade'],
  ['tick_size_change', 'tick_size'],
])

export const CONDITION_ID = /^0x[0-9a-f]{64}$/i

export const looksLikePolymarket = (message: JsonObject) =>
  typeof message['event_type'] === 'string' || typeof message['market'] === 'string'

/** Returns whether an object is a frame of the real-time data socket, which has its message as `payload`. */
export const isRealTime = ({ topic, type, payload }: JsonObject) =>
  [topic, type].every((name) => typeof name === 'string' && /^[a-z_]{1,40}$/.test(name)) &&
  (isObject(payload ?? null) || Array.isArray(payload))

export function readPolymarket(message: JsonObject, receivedAt: number | null): Reading {
  if (isOfUserChannel(message)) return { skipped: 'private' }
  const market = message['market']
  if (typeof market !== 'string') return { rejected: 'a Polymarket message names no market' }
  if (!CONDITION_ID.test(market)) return { rejected: 'no condition id' }
  const entries = [message['price_changes'], message['changes']].flatMap((list) => (Array.isArray(list) ? list : []))
  const assets = [message, ...entries].map((entry) => (isObject(entry) ? entry['asset_id'] : undefined))
  if (assets.some((asset) => typeof asset === 'string' && !asset.isWellFormed())) return { rejected: 'no text' }
  const stated = typeOf(message)
  const type = isOfNoBook(stated, message) ? 'other' : stated
  const venueNs = timeNs(message['timestamp'])
  const fullNs = typeof message['timestamp'] === 'string' ? instantNs(message['timestamp']) : undefined
  const times = { venueNs, quoteNs: venueNs, fullNs, givenMs: undefined }
  const shared = { venue: 'polymarket' as const, market: market.toLowerCase(), type, receivedAt }
  const parts = type === 'delta' ? splitByAsset(message) : [message]
  const messages = parts.map(
    (msg): Message => ({ ...shared, book: assetOf(msg, type), ...times, sid: null, seq: null, msg, whole: message }),
  )
  return { messages }
}

const isOfUserChannel = (message: JsonObject) =>
  ['order', 'trade'].includes(String(message['event_type'])) &&
  ['owner', 'order_owner', 'trade_owner', 'maker_orders'].some((key) => key in message)

/** Returns whether no book can hold the content of the message; such a message is stored as "other". */
function isOfNoBook(type: RecordType, message: JsonObject): boolean {
  if (type === 'trade') return isBeyond('dollars', message['price'])
  if (type !== 'snapshot') return false
  const sides = [message['bids'] ?? null, message['asks'] ?? null]
  const others = Object.entries(message).filter(([key]) => key !== 'bids' && key !== 'asks')
  if (sides.includes(null) && others.some(([, value]) => holdsList(value))) return true
  return sides.some((list) => {
    if (list === null) return false
    if (!Array.isArray(list)) return true
    const levels = list.filter(isObject)
    const isUnknown = list.length > 0 && !levels.some((level) => 'price' in level)
    return isUnknown || levels.some(({ price }) => isBeyond('dollars', price))
  })
}

function typeOf(message: JsonObject): RecordType {
  const eventType = message['event_type']
  if (typeof eventType === 'string') return TYPES.get(eventType) ?? 'other'
  const isRestBook = eventType === undefined && Array.isArray(message['bids']) && Array.isArray(message['asks'])
  return isRestBook && typeof message['asset_id'] === 'string' ? 'snapshot' : 'other'
}

/** Returns the key that holds the list of changes: the newest form has `price_changes`, the one before it `changes`. */
const listOf = (message: JsonObject) => ['price_changes', 'changes'].find((key) => Array.isArray(message[key]))

function assetOf(msg: JsonObject, type: RecordType): string | null {
  const list = type === 'delta' ? listOf(msg) : undefined
  const entry = list === undefined ? msg : (msg[list] as Json[])[0]
  const own = isObject(entry) ? entry['asset_id'] : undefined
  const asset = own ?? msg['asset_id']
  return typeof asset === 'string' && asset !== '' ? asset : null
}

/** Splits a message into one per book, in order of first appearance. */
function splitByAsset(message: JsonObject): JsonObject[] {
  const list = listOf(message)
  if (list === undefined) return [message]
  const byAsset = Map.groupBy(message[list] as Json[], (entry) => assetOfEntry(entry))
  if (byAsset.size < 2) return [message]
  return [...byAsset.values()].map((entries) => ({ ...message, [list]: entries }))
}

const assetOfEntry = (entry: Json) =>
  isObject(entry) && typeof entry['asset_id'] === 'string' ? entry['asset_id'] : undefined

/** Returns the entries of a price_change of any generation: `{price, side, size}` each. */
export function changesOf(msg: JsonObject): JsonObject[] {
  const entries: Json | undefined = msg['price_changes'] ?? msg['changes'] ?? [msg]
  return Array.isArray(entries) ? entries.filter(isObject) : []
}
