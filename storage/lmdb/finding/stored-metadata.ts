// Stores the venues' descriptions of markets and events, and which markets an event has.
//
//   metadata: 'market' | 'event', venue, id  → card, the venue's JSON (zstd), its time, when it was loaded
//   finding:  'member', venue, event, market → nothing but a checksum

import type { ListedEvent } from '../../finding/finding.ts'
import type { EventCard, JsonObject, MarketCard, StoredDescription } from '../../finding/metadata.ts'
import type { Venue } from '../../venue.ts'
import { type Databases, KEY_END, type Key } from '../values/databases.ts'
import { getPacked, openPacked, putPacked } from './packed-values.ts'

export type Kind = 'market' | 'event'
type CardOf = { market: MarketCard; event: EventCard }
type Packed<Card> = [card: Card, said: Uint8Array, saidMs: number | null, loadedMs: number]

export const metadataKey = (kind: Kind, venue: Venue, id: string): Key => [kind, venue, id]
export const memberKey = (venue: Venue, event: string, market: string): Key => ['member', venue, event, market]

export function descriptionOf<K extends Kind>(databases: Databases, kind: K, venue: Venue, id: string) {
  const packed = getPacked<Packed<CardOf[K]>>(databases, 'metadata', metadataKey(kind, venue, id))
  return packed === undefined ? undefined : unpacked(packed)
}

/** Decodes a stored entry. */
export const openDescription = <Card extends MarketCard | EventCard>(
  key: Key,
  bytes: Uint8Array,
): StoredDescription<Card> => unpacked(openPacked<Packed<Card>>('metadata', key, bytes))

const unpacked = <Card>([card, said, saidMs, loadedMs]: Packed<Card>): StoredDescription<Card> => ({
  card,
  said: JSON.parse(new TextDecoder().decode(Bun.zstdDecompressSync(said))) as JsonObject,
  saidMs,
  loadedMs,
})

export function putDescription<K extends Kind>(
  databases: Databases,
  kind: K,
  venue: Venue,
  id: string,
  { card, said, saidMs, loadedMs }: StoredDescription<CardOf[K]>,
): void {
  const packed: Packed<CardOf[K]> = [card, Bun.zstdCompressSync(JSON.stringify(said)), saidMs, loadedMs]
  putPacked(databases, 'metadata', metadataKey(kind, venue, id), packed)
}

/** Returns the card alone, without the venue's own JSON, which takes longer to decode. */
export function cardOf<K extends Kind>(databases: Databases, kind: K, venue: Venue, id: string): CardOf[K] | undefined {
  return getPacked<Packed<CardOf[K]>>(databases, 'metadata', metadataKey(kind, venue, id))?.[0]
}

/** Returns the cards of a market and of the event that it names. */
export function cardsOf(databases: Databases, venue: Venue, market: string) {
  const card = cardOf(databases, 'market', venue, market)
  const named = card?.event ?? null
  return { card, event: named === null ? undefined : cardOf(databases, 'event', venue, named) }
}

/** Returns the market of each Polymarket token; if two markets name a token, the last one. */
export function tokensOf(databases: Databases): Map<string, string> {
  const range = { start: metadataKey('market', 'polymarket', ''), end: metadataKey('market', 'polymarket', KEY_END) }
  const markets = new Map<string, string>()
  for (const key of databases.metadata.getKeys(range)) {
    const market = String(key[2])
    const { outcomes = [] } = cardOf(databases, 'market', 'polymarket', market) ?? {}
    for (const { asset_id: token } of outcomes) if (token !== null) markets.set(token, market)
  }
  return markets
}

/** Returns the markets of an event, ascending. */
export function membersOf({ finding }: Databases, venue: Venue, event: string): string[] {
  const range = { start: memberKey(venue, event, ''), end: memberKey(venue, event, KEY_END) }
  return [...finding.getKeys(range)].map((key) => String(key[3]))
}

const CARDS_AT_ONCE = 1_000

/** Ascending. Lets other questions run in between. */
export async function eventsOf(databases: Databases, venue: Venue): Promise<ListedEvent[]> {
  const range = { start: metadataKey('event', venue, ''), end: metadataKey('event', venue, KEY_END) }
  const events: ListedEvent[] = []
  for (const id of [...databases.metadata.getKeys(range)].map((key) => String(key[2]))) {
    const card = cardOf(databases, 'event', venue, id)
    if (card !== undefined && events.push({ event: id, card }) % CARDS_AT_ONCE === 0) await Bun.sleep(0)
  }
  return events
}
