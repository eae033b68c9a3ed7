// Stores the venues' descriptions of markets and events, and the words that they are found by. Each function runs
// within a transaction. Writers of metadata wait for one another, so a merge always starts from the stored state.

import type { TransactionSQL } from 'bun'
import {
  type EventCard,
  type EventDescription,
  type MarketCard,
  type MarketDescription,
  mergedMetadata,
  type StoredDescription,
} from '../../../finding/metadata.ts'
import type { Venue } from '../../../venue.ts'
import { blobs, eventTable, texts } from './arrays.ts'
import { type NamedMarket, noteDescribed, noteUndescribed } from './known-markets.ts'
import { bytesOf, textOf, unpacked } from './packed-values.ts'
import { type NamedEventOf, nameOf, packDescription, storedEvents, storedMarkets } from './stored-metadata.ts'

/** Locks metadata until the transaction ends. */
export async function lockMetadata(sql: TransactionSQL): Promise<void> {
  await sql`SELECT FROM counters WHERE name = 'metadata' FOR UPDATE`
}

export async function putMarkets(
  sql: TransactionSQL,
  said: readonly MarketDescription[],
  loadedMs: number,
): Promise<void> {
  await lockMetadata(sql)
  const stored = await storedMarkets(sql, said)
  const groups = Map.groupBy(said, ({ venue, market }) => nameOf(venue, market))
  const changed = [...groups].flatMap(([name, same]) => {
    const merged = mergedMetadata(stored.get(name), same, loadedMs)
    const { venue, market } = same[0]!
    return merged === stored.get(name) ? [] : [{ venue, market, merged }]
  })
  if (changed.length === 0) return
  await putMarketRows(sql, changed)
  const named = changed.flatMap(({ venue, merged }) => eventOf(venue, merged.card))
  const events = await storedEvents(sql, distinct(named))
  const cards = changed.map(({ venue, market, merged: { card } }) => {
    const event = card.event === null ? undefined : events.get(nameOf(venue, card.event))?.card
    return { venue, market, card, event }
  })
  await noteDescribed(sql, cards)
}

const eventOf = (venue: Venue, { event }: MarketCard): NamedEventOf[] => (event === null ? [] : [{ venue, event }])

const distinct = (events: readonly NamedEventOf[]): NamedEventOf[] => [
  ...new Map(events.map((each) => [nameOf(each.venue, each.event), each])).values(),
]

type ChangedMarket = NamedMarket & { merged: StoredDescription<MarketCard> }

async function putMarketRows(sql: TransactionSQL, changed: readonly ChangedMarket[]): Promise<void> {
  const rows = changed.map(({ venue, market, merged }) => {
    const { event } = merged.card
    return { venue, market, event: event === null ? null : bytesOf(event), ...packDescription(merged) }
  })
  await sql`
    INSERT INTO market_metadata (venue, market, event, card, said)
    SELECT * FROM unnest(
      ${texts(sql, rows, ({ venue }) => venue)}, ${texts(sql, rows, ({ market }) => market)},
      ${blobs(sql, rows, ({ event }) => event)}, ${blobs(sql, rows, ({ card }) => card)},
      ${blobs(sql, rows, ({ said }) => said)})
    ON CONFLICT (venue, market) DO UPDATE SET event = excluded.event, card = excluded.card, said = excluded.said`
}

/** Stores events. Searching for an event's words also finds its markets. */
export async function putEvents(
  sql: TransactionSQL,
  said: readonly EventDescription[],
  loadedMs: number,
): Promise<void> {
  await lockMetadata(sql)
  const groups = Map.groupBy(said, ({ venue, event }) => nameOf(venue, event))
  const stored = await storedEvents(sql, distinct(said))
  const changed = [...groups].flatMap(([name, same]) => {
    const before = stored.get(name)
    const merged = mergedMetadata(before, same, loadedMs)
    const { venue, event } = same[0]!
    return merged === before ? [] : [{ venue, event, merged, isOtherCard: !Bun.deepEquals(before?.card, merged.card) }]
  })
  if (changed.length === 0) return
  const rows = changed.map(({ venue, event, merged }) => ({ venue, event: bytesOf(event), ...packDescription(merged) }))
  await sql`
    INSERT INTO event_metadata (venue, event, card, said)
    SELECT * FROM unnest(
      ${texts(sql, rows, ({ venue }) => venue)}, ${blobs(sql, rows, ({ event }) => event)},
      ${blobs(sql, rows, ({ card }) => card)}, ${blobs(sql, rows, ({ said }) => said)})
    ON CONFLICT (venue, event) DO UPDATE SET card = excluded.card, said = excluded.said`
  const renamed = changed.filter(({ isOtherCard }) => isOtherCard)
  await noteMembers(
    sql,
    new Map(renamed.map(({ venue, event, merged }) => [nameOf(venue, event), { venue, event, card: merged.card }])),
  )
}

async function noteMembers(
  sql: TransactionSQL,
  events: ReadonlyMap<string, NamedEventOf & { card: EventCard }>,
): Promise<void> {
  if (events.size === 0) return
  const named = [...events.values()]
  const members: (NamedMarket & { event: Uint8Array; card: Uint8Array })[] = await sql`
    SELECT m.venue, m.market, m.event, m.card
    FROM ${eventTable(sql, named)}
    JOIN market_metadata m ON m.venue = u.venue AND m.event = u.event`
  const cards = members.map(({ venue, market, event, card }) => {
    const known = events.get(nameOf(venue, textOf(event)))
    return { venue, market, card: unpacked<MarketCard>(card), event: known?.card }
  })
  await noteDescribed(sql, cards)
}

/** Removes a market's metadata. Resolves to whether there was any. The event stays while a market names it. */
export async function removeMetadata(sql: TransactionSQL, venue: Venue, market: string): Promise<boolean> {
  await lockMetadata(sql)
  const [row] = await sql`
    DELETE FROM market_metadata WHERE venue = ${venue} AND market = ${market} RETURNING event`
  if (row === undefined) return false
  if (row.event !== null) {
    await sql`
      DELETE FROM event_metadata WHERE venue = ${venue} AND event = ${row.event}
      AND NOT EXISTS (SELECT FROM market_metadata m WHERE m.venue = ${venue} AND m.event = ${row.event})`
  }
  await noteUndescribed(sql, { venue, market })
  return true
}
