// Keeps what venues say of markets and events, and what is found by it. Within a write transaction each.

import {
  type EventCard,
  type Kept,
  type Metadata,
  mergedMetadata,
  type SaidEvent,
  type SaidMarket,
} from '../../finding/metadata.ts'
import type { Venue } from '../../venue.ts'
import type { Databases } from '../values/databases.ts'
import { IndexWriter } from './index-writer.ts'
import { cardOf, cardsOf, keptOf, memberKey, membersOf, metadataKey, putKept } from './kept-metadata.ts'
import { numberOf } from './market-numbers.ts'
import { putPacked } from './packed-values.ts'

/** An event comes before its markets: their words are then written once. */
export function putMetadata(databases: Databases, { markets, events }: Metadata, loadedMs: number): void {
  for (const said of Map.groupBy(events, ({ venue, event }) => `${venue} ${event}`).values()) {
    putEvent(databases, said, loadedMs)
  }
  const writer = new IndexWriter(databases)
  for (const said of Map.groupBy(markets, ({ venue, market }) => `${venue} ${market}`).values()) {
    putMarket(databases, writer, said, loadedMs)
  }
  writer.finish()
}

function putMarket(databases: Databases, writer: IndexWriter, said: SaidMarket[], loadedMs: number): void {
  const { venue, market } = said[0]!
  const kept = keptOf(databases, 'market', venue, market)
  const merged = mergedMetadata(kept, said, loadedMs)
  if (merged === kept) return
  const before = { card: kept?.card, event: eventOf(databases, venue, kept?.card.event) }
  const after = { card: merged.card, event: eventOf(databases, venue, merged.card.event) }
  putKept(databases, 'market', venue, market, merged)
  if (kept?.card.event !== merged.card.event) {
    if (kept?.card.event) databases.finding.removeSync(memberKey(venue, kept.card.event, market))
    if (merged.card.event) putPacked(databases, 'finding', memberKey(venue, merged.card.event, market), null)
  }
  writer.change(venue, market, { before, after })
}

const eventOf = (databases: Databases, venue: Venue, event: string | null | undefined): EventCard | undefined =>
  event ? cardOf(databases, 'event', venue, event) : undefined

/** The markets that name it are found by its words. */
function putEvent(databases: Databases, said: SaidEvent[], loadedMs: number): void {
  const { venue, event } = said[0]!
  const kept: Kept<EventCard> | undefined = keptOf(databases, 'event', venue, event)
  const merged = mergedMetadata(kept, said, loadedMs)
  if (merged === kept) return
  putKept(databases, 'event', venue, event, merged)
  if (Bun.deepEquals(kept?.card, merged.card)) return
  const writer = new IndexWriter(databases)
  for (const market of membersOf(databases, venue, event)) {
    const { card } = cardsOf(databases, venue, market)
    writer.change(venue, market, { before: { card, event: kept?.card }, after: { card, event: merged.card } })
  }
  writer.finish()
}

/** `isStored`: whether records of it are. An event stays while a market names it. */
export function removeMetadata(databases: Databases, venue: Venue, market: string, isStored: boolean): boolean {
  const before = cardsOf(databases, venue, market)
  if (before.card === undefined) return false
  databases.metadata.removeSync(metadataKey('market', venue, market))
  const { event } = before.card
  if (event !== null) {
    databases.finding.removeSync(memberKey(venue, event, market))
    if (membersOf(databases, venue, event).length === 0) {
      databases.metadata.removeSync(metadataKey('event', venue, event))
    }
  }
  const writer = new IndexWriter(databases)
  if (numberOf(databases, venue, market) !== undefined) {
    writer.change(venue, market, { before, after: isStored ? { card: undefined, event: undefined } : null })
  }
  writer.finish()
  return true
}
