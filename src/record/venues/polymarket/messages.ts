// Parses the messages of Polymarket's market channel as far as a recorder needs: the book of each message, its time,
// and the hash of the book after the message. Pure.

import { isObject, type JsonObject } from '../../../../workers/venues/described-message.ts'

/** The part of a message about one token. */
export type TokenNews = {
  token: string
  /** `book` replaces the levels, `change` changes some, `other` none. */
  kind: 'book' | 'change' | 'other'
  /** Hash of the book after the whole message; undefined if there is none. */
  hash: string | undefined
  /** The JSON with the levels: a book, or entries of changes in order. */
  parts: readonly JsonObject[]
}

export type MarketMessage = {
  /** The `event_type`; `book` for a body from REST; empty if the message has no type. */
  type: string
  /** Condition id; empty if there is none. */
  market: string
  /** Unix ms; NaN if there is none. */
  venueMs: number
  news: readonly TokenNews[]
}

/** Returns the messages of a frame, which is one message or an array. Throws SyntaxError if it is not JSON. */
export function messagesIn(text: string): MarketMessage[] {
  const parsed: unknown = JSON.parse(text)
  const list = Array.isArray(parsed) ? parsed : [parsed]
  return list.map((each) => messageOf(isObject(each) ? each : {}))
}

function messageOf(message: JsonObject): MarketMessage {
  const type = typeOf(message)
  const market = textIn(message, 'market') ?? ''
  const venueMs = Number(message['timestamp'] ?? Number.NaN)
  return { type, market, venueMs, news: newsOf(type, message) }
}

function typeOf(message: JsonObject): string {
  const type = textIn(message, 'event_type')
  return type ?? (Array.isArray(message['bids']) && Array.isArray(message['asks']) ? 'book' : '')
}

function newsOf(type: string, message: JsonObject): TokenNews[] {
  if (type === 'price_change') return changesOf(message)
  const token = textIn(message, 'asset_id')
  const kind = type === 'book' ? 'book' : 'other'
  if (token !== undefined)
    return [{ token, kind, hash: kind === 'book' ? textIn(message, 'hash') : undefined, parts: [message] }]
  const tokens = Array.isArray(message['assets_ids']) ? message['assets_ids'] : []
  return tokens.filter(isText).map((each) => ({ token: each, kind: 'other', hash: undefined, parts: [] }))
}

/** Parses a `price_change`. In the newest form each entry has a token; in the form before that, one token applies to
 *  all entries; in the oldest form the message is itself the only entry. */
function changesOf(message: JsonObject): TokenNews[] {
  const entries = message['price_changes'] ?? message['changes'] ?? [message]
  const byToken = new Map<string, { hash: string | undefined; entries: JsonObject[] }>()
  for (const entry of Array.isArray(entries) ? entries.filter(isObject) : []) {
    const token = textIn(entry, 'asset_id') ?? textIn(message, 'asset_id')
    if (token === undefined) continue
    const hash = textIn(entry, 'hash') ?? textIn(message, 'hash')
    const known = byToken.get(token)
    if (known === undefined) byToken.set(token, { hash, entries: [entry] })
    else {
      known.hash = hash ?? known.hash
      known.entries.push(entry)
    }
  }
  return [...byToken].map(([token, { hash, entries: parts }]) => ({ token, kind: 'change', hash, parts }))
}

const isText = (value: unknown): value is string => typeof value === 'string'

function textIn(object: JsonObject, key: string): string | undefined {
  const value = object[key]
  return typeof value === 'string' ? value : undefined
}
