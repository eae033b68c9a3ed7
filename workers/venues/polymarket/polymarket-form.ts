// Converts Polymarket messages to the present form of its market channel: a book of the REST API, and the two older
// generations of price_change (docs.polymarket.com/market-data/websocket/market-channel).

import type { RecordKind } from '../../../storage/format/shape.ts'
import { textMicros } from '../../bytes/decimal-micros.ts'
import type { JsonObject } from '../described-message.ts'
import { isJsonObject, textOf } from '../exact-json.ts'
import { printed } from '../printed-amounts.ts'

/** Returns the converted message. Returns undefined if the message has the present form already, and null if the
 *  message cannot be converted. */
export function polymarketForm(kind: RecordKind, message: JsonObject): JsonObject | null | undefined {
  if (kind === 'gap') return undefined
  if (kind === 'delta') return Array.isArray(message['price_changes']) ? undefined : priceChange(message)
  if (typeof message['event_type'] === 'string') return undefined
  return kind === 'snapshot' ? book(message) : null
}

/** Converts a book. Keeps the values that only the REST API sends with a book, because the book's hash covers them
 *  too. */
function book(message: JsonObject): JsonObject {
  return {
    ...message,
    ...timestampOf(message),
    bids: levels(message['bids'], 1),
    asks: levels(message['asks'], -1),
    event_type: 'book',
  }
}

/** Returns the levels of a side, with the best level last. */
function levels(list: unknown, direction: 1 | -1): JsonObject[] {
  const read = (Array.isArray(list) ? list : []).filter(isJsonObject).map(amountsOf)
  const heights = new Map(read.map((level) => [level, textMicros(String(level['price']))]))
  return read.sort((a, b) => direction * (heights.get(a)! - heights.get(b)!) || 0)
}

/** Converts a price_change. The 2025 form has a list of changes of one book, the 2024 form is a single change. */
function priceChange(message: JsonObject): JsonObject | null {
  const { changes, asset_id: asset, hash, price, size, side, event_type: _, ...rest } = message
  const entries = Array.isArray(changes) ? changes.filter(isJsonObject) : [{ price, size, side }]
  if (entries.some((entry) => textOf(entry['price']) === undefined || textOf(entry['size']) === undefined)) return null
  const named = { ...(asset === undefined ? {} : { asset_id: asset }), ...(hash === undefined ? {} : { hash }) }
  return {
    ...rest,
    ...timestampOf(message),
    price_changes: entries.map((entry) => ({ ...named, ...amountsOf(entry) })),
    event_type: 'price_change',
  }
}

const amountsOf = (entry: JsonObject): JsonObject => ({
  ...entry,
  price: printed(entry['price'], 0) ?? entry['price'],
  size: printed(entry['size'], 0) ?? entry['size'],
})

/** Returns the timestamp as text, because the socket sends it as text. Returns no field if there is no timestamp. */
function timestampOf({ timestamp }: JsonObject): { timestamp?: string } {
  const text = textOf(timestamp)
  return text === undefined ? {} : { timestamp: text }
}
