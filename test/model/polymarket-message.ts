// Polymarket's messages (VENUES.md 1): which record each is, and the changes or levels it states.

import { timeNs } from './exact.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
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

export function readPolymarket(message: JsonObject, receivedAt: number | null): Reading {
  const market = message['market']
  if (typeof market !== 'string') return { rejected: 'a Polymarket message names no market' }
  if (!CONDITION_ID.test(market)) return { rejected: 'no condition id' }
  const entries = [message['price_changes'], message['changes']].flatMap((list) => (Array.isArray(list) ? list : []))
  const assets = [message, ...entries].map((entry) => (isObject(entry) ? entry['asset_id'] : undefined))
  if (assets.some((asset) => typeof asset === 'string' && !asset.isWellFormed())) return { rejected: 'no text' }
  const type = typeOf(message)
  const venueNs = timeNs(message['timestamp'])
  const shared = { venue: 'polymarket' as const, market: market.toLowerCase(), type, receivedAt }
  const parts = type === 'delta' ? splitByAsset(message) : [message]
  const messages = parts.map(
    (msg): Message => ({ ...shared, book: assetOf(msg, type), venueNs, quoteNs: venueNs, sid: null, seq: null, msg }),
  )
  return { messages }
}

function typeOf(message: JsonObject): RecordType {
  const eventType = message['event_type']
  if (typeof eventType === 'string') return TYPES.get(eventType) ?? 'other'
  const isRestBook = eventType === undefined && Array.isArray(message['bids']) && Array.isArray(message['asks'])
  return isRestBook && typeof message['asset_id'] === 'string' ? 'snapshot' : 'other'
}

function assetOf(msg: JsonObject, type: RecordType): string | null {
  const entry = type === 'delta' && Array.isArray(msg['price_changes']) ? msg['price_changes'][0] : msg
  const own = isObject(entry) ? entry['asset_id'] : undefined
  const asset = own ?? msg['asset_id']
  return typeof asset === 'string' ? asset : null
}

/** One message a book, in order of first appearance. */
function splitByAsset(message: JsonObject): JsonObject[] {
  const changes = message['price_changes']
  if (!Array.isArray(changes)) return [message]
  const byAsset = Map.groupBy(changes, (entry) => assetOfEntry(entry))
  if (byAsset.size < 2) return [message]
  return [...byAsset.values()].map((entries) => ({ ...message, price_changes: entries }))
}

const assetOfEntry = (entry: Json) =>
  isObject(entry) && typeof entry['asset_id'] === 'string' ? entry['asset_id'] : undefined

/** The entries of a price_change of any generation: `{price, side, size}` each. */
export function changesOf(msg: JsonObject): JsonObject[] {
  const entries: Json | undefined = msg['price_changes'] ?? msg['changes'] ?? [msg]
  return Array.isArray(entries) ? entries.filter(isObject) : []
}
