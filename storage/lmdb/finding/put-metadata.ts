// Stores the venues' descriptions of markets and events, and updates the search index. Each function runs within a
// write transaction.

import {
  type EventCard,
  type EventDescription,
  type MarketDescription,
  type Metadata,
  mergedMetadata,
  type StoredDescription,
} from '../../finding/metadata.ts'
import type { Venue } from '../../venue.ts'
import type { Databases } from '../values/databases.ts'
import { IndexWriter } from './index-writer.ts'
import { numberOf } from './market-numbers.ts'
import { putPacked } from './packed-values.ts'
import { cardOf, cardsOf, descriptionOf, memberKey, membersOf, metadataKey, putDescription } from './stored-metadata.ts'

/** Stores events before markets, so that the words of new markets are written only once. */
export function putMetadata(databases: Databases, { markets, events }: Metadata, loadedMs: number): void {
  for (const updates of Map.groupBy(events, ({ venue, event }) => `${venue} ${event}`).values()) {
    putEvent(databases, updates, loadedMs)
  }
  const writer = new IndexWriter(databases)
  for (const updates of Map.groupBy(markets, ({ venue, market }) => `${venue} ${market}`).values()) {
    putMarket(databases, writer, updates, loadedMs)
  }
  writer.finish()
}

function putMarket(databases: Databases, writer: IndexWriter, updates: MarketDescription[], loadedMs: number): void {
  const { venue, market } = updates[0]!
  const stored = descriptionOf(databases, 'market', venue, market)
  const merged = mergedMetadata(stored, updates, loadedMs)
  if (merged === stored) return
  const before = { card: stored?.card, event: eventOf(databases, venue, stored?.card.event) }
  const after = { card: merged.card, event: eventOf(databases, venue, merged.card.event) }
  putDescription(databases, 'market', venue, market, merged)
  if (stored?.card.event !== merged.card.event) {
    if (stored?.card.event) databases.finding.removeSync(memberKey(venue, stored.card.event, market))
    if (merged.card.event) putPacked(databases, 'finding', memberKey(venue, merged.card.event, market), null)
  }
  writer.change(venue, market, { before, after })
}

const eventOf = (databases: Databases, venue: Venue, event: string | null | undefined): EventCard | undefined =>
  event ? cardOf(databases, 'event', venue, event) : undefined

/** Stores an event. Searching for the event's words also finds its markets. */
function putEvent(databases: Databases, updates: EventDescription[], loadedMs: number): void {
  const { venue, event } = updates[0]!
  const stored: StoredDescription<EventCard> | undefined = descriptionOf(databases, 'event', venue, event)
  const merged = mergedMetadata(stored, updates, loadedMs)
  if (merged === stored) return
  putDescription(databases, 'event', venue, event, merged)
  if (Bun.deepEquals(stored?.card, merged.card)) return
  const writer = new IndexWriter(databases)
  for (const market of membersOf(databases, venue, event)) {
    const { card } = cardsOf(databases, venue, market)
    writer.change(venue, market, { before: { card, event: stored?.card }, after: { card, event: merged.card } })
  }
  writer.finish()
}

/** Removes a market's metadata; returns whether there was any. `isStored` says whether the market has records. The
 *  event stays while a market names it. */
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
