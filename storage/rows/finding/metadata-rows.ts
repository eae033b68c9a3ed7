// Reads the venues' descriptions of markets and events, and which markets each event has.

import type { ListedEvent } from '../../finding/finding.ts'
import type { EventCard, JsonObject, MarketCard, StoredDescription } from '../../finding/metadata.ts'
import { IDENTITIES, VENUES, type Venue } from '../../venue.ts'
import { below, keyOf, namesOf } from '../keys.ts'
import { ALL_ROWS, pagesOf, type RowKey, type Rows } from '../rows.ts'
import { openPacked, sealPacked } from '../sealed-rows.ts'

type AnyCard = MarketCard | EventCard
/** A description as it is stored. `said` is the venue's JSON, compressed with zstd. */
type Packed<Card> = [card: Card, said: Uint8Array, saidMs: number | null, loadedMs: number]
type Name = { venue: Venue; market: string }

export const marketKey = (venue: Venue, market: string): RowKey => keyOf('c', venue, market)
export const eventKey = (venue: Venue, event: string): RowKey => keyOf('e', venue, event)
export const memberKey = (venue: Venue, event: string, market: string): RowKey => keyOf('x', venue, event, market)

const whatOf = ([venue, id]: string[]): string => `metadata of the ${venue} market or event ${id}`

/** Throws DataError('block_corrupt'), like every function here that reads. */
export function openDescription<Card extends AnyCard>(key: RowKey, bytes: Uint8Array): StoredDescription<Card> {
  const [card, said, saidMs, loadedMs] = openPacked<Packed<Card>>(key, bytes, whatOf)
  const text = new TextDecoder().decode(Bun.zstdDecompressSync(said))
  return { card, said: JSON.parse(text) as JsonObject, saidMs, loadedMs }
}

export function sealDescription(key: RowKey, { card, said, saidMs, loadedMs }: StoredDescription<AnyCard>): Uint8Array {
  const packed: Packed<AnyCard> = [card, Bun.zstdCompressSync(JSON.stringify(said)), saidMs, loadedMs]
  return sealPacked(key, packed)
}

/** Returns the card alone: decoding the venue's JSON takes longer. */
export const openCard = <Card extends AnyCard>(key: RowKey, bytes: Uint8Array | undefined): Card | undefined =>
  bytes === undefined ? undefined : openPacked<Packed<Card>>(key, bytes, whatOf)[0]

export async function described<Card extends AnyCard>(
  rows: Rows,
  key: RowKey,
): Promise<StoredDescription<Card> | undefined> {
  const [bytes] = await rows.get([key])
  return bytes && openDescription<Card>(key, bytes)
}

/** Returns the cards of markets and of the events that they name. */
export async function cardsOf(rows: Rows, markets: readonly Name[]) {
  const keys = markets.map(({ venue, market }) => marketKey(venue, market))
  const cards = (await rows.get(keys)).map((bytes, index) => openCard<MarketCard>(keys[index]!, bytes))
  const named = cards.map((card, index) => (card?.event ? eventKey(markets[index]!.venue, card.event) : null))
  const events = [...new Set(named.filter((key) => key !== null))]
  const stored = new Map((await rows.get(events)).map((bytes, index) => [events[index]!, bytes]))
  const opened = new Map(events.map((key) => [key, openCard<EventCard>(key, stored.get(key))]))
  return cards.map((card, index) => ({ card, event: opened.get(named[index] ?? '') }))
}

/** Returns the market of each token, for all venues that have tokens. If two markets name a token, returns the last
 *  one. */
export async function tokensOf(rows: Rows): Promise<Map<string, string>> {
  const markets = new Map<string, string>()
  for (const venue of VENUES.filter((each) => IDENTITIES[each].hasAssets)) {
    for await (const page of pagesOf(rows, below(keyOf('c', venue)))) {
      for (const { key, value } of page) {
        const { outcomes = [] } = openCard<MarketCard>(key, value) ?? {}
        for (const { asset_id: token } of outcomes) if (token !== null) markets.set(token, namesOf(key)[1]!)
      }
    }
  }
  return markets
}

/** Returns the markets of an event, ascending. */
export async function membersOf(rows: Rows, venue: Venue, event: string): Promise<string[]> {
  const keys = await rows.keys({ ...below(keyOf('x', venue, event)), limit: ALL_ROWS })
  return keys.map((key) => namesOf(key)[2]!)
}

/** Returns events ascending by id. Lets other queries run between pages. */
export async function eventsOf(rows: Rows, venue: Venue): Promise<ListedEvent[]> {
  const events: ListedEvent[] = []
  for await (const page of pagesOf(rows, below(keyOf('e', venue)))) {
    for (const { key, value } of page) events.push({ event: namesOf(key)[1]!, card: openCard<EventCard>(key, value)! })
    await Bun.sleep(0)
  }
  return events
}
