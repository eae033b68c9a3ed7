// The messages of Polymarket's market channel, as far as a recorder has to understand them: which book each is about,
// its time, and the hash of the book after it. Pure.

export type Json = Record<string, unknown>

/** What happened to one token. */
export type TokenNews = {
  token: string
  /** `book` replaces the levels, `change` changes some, `other` none. */
  kind: 'book' | 'change' | 'other'
  /** Of the book after the whole message; undefined where it says none. */
  hash: string | undefined
  /** What its levels are told by: a book, or entries of changes in order. */
  said: readonly Json[]
}

export type MarketMessage = {
  /** Its `event_type`; `book` for a body of REST, empty where it says none. */
  type: string
  /** Condition id; empty where it names none. */
  market: string
  /** Unix ms; NaN where it says none. */
  venueMs: number
  news: readonly TokenNews[]
}

/** The messages of a frame, which is one or an array of them. Throws SyntaxError where it is no JSON. */
export function messagesIn(text: string): MarketMessage[] {
  const said: unknown = JSON.parse(text)
  const list = Array.isArray(said) ? said : [said]
  return list.map((each) => messageOf(isJson(each) ? each : {}))
}

function messageOf(said: Json): MarketMessage {
  const type = typeOf(said)
  const market = textIn(said, 'market') ?? ''
  const venueMs = Number(said['timestamp'] ?? Number.NaN)
  return { type, market, venueMs, news: newsOf(type, said) }
}

function typeOf(said: Json): string {
  const type = textIn(said, 'event_type')
  return type ?? (Array.isArray(said['bids']) && Array.isArray(said['asks']) ? 'book' : '')
}

function newsOf(type: string, said: Json): TokenNews[] {
  if (type === 'price_change') return changesOf(said)
  const token = textIn(said, 'asset_id')
  const kind = type === 'book' ? 'book' : 'other'
  if (token !== undefined)
    return [{ token, kind, hash: kind === 'book' ? textIn(said, 'hash') : undefined, said: [said] }]
  const tokens = Array.isArray(said['assets_ids']) ? said['assets_ids'] : []
  return tokens.filter(isText).map((each) => ({ token: each, kind: 'other', hash: undefined, said: [] }))
}

/** The newest form names a token in each entry, the one before it once, and the oldest is an entry itself. */
function changesOf(said: Json): TokenNews[] {
  const entries = said['price_changes'] ?? said['changes'] ?? [said]
  const byToken = new Map<string, { hash: string | undefined; said: Json[] }>()
  for (const entry of Array.isArray(entries) ? entries.filter(isJson) : []) {
    const token = textIn(entry, 'asset_id') ?? textIn(said, 'asset_id')
    if (token === undefined) continue
    const hash = textIn(entry, 'hash') ?? textIn(said, 'hash')
    const known = byToken.get(token)
    if (known === undefined) byToken.set(token, { hash, said: [entry] })
    else {
      known.hash = hash ?? known.hash
      known.said.push(entry)
    }
  }
  return [...byToken].map(([token, { hash, said: entriesOf }]) => ({ token, kind: 'change', hash, said: entriesOf }))
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

function textIn(said: Json, key: string): string | undefined {
  const value = said[key]
  return typeof value === 'string' ? value : undefined
}
