// Reads the venues' descriptions of markets and events from rows.

import type { FoundMarket, KnownEvent, KnownMarket, ListedEvent, NamedEvent } from '../../../finding/finding.ts'
import type { EventCard, JsonObject, MarketCard, StoredDescription } from '../../../finding/metadata.ts'
import type { Venue } from '../../../venue.ts'
import { eventTable, marketTable, type Queryable } from './arrays.ts'
import type { NamedMarket } from './known-markets.ts'
import { bytesOf, packed, textOf, unpacked } from './packed-values.ts'

type PackedDescription = [said: Uint8Array, saidMs: number | null, loadedMs: number]
type DescriptionRow = { card: Uint8Array; said: Uint8Array }

export const packDescription = ({ card, said, saidMs, loadedMs }: StoredDescription<MarketCard | EventCard>) => ({
  card: packed(card),
  said: packed([Bun.zstdCompressSync(JSON.stringify(said)), saidMs, loadedMs] satisfies PackedDescription),
})

export function openDescription<Card>(row: DescriptionRow): StoredDescription<Card> {
  const [said, saidMs, loadedMs] = unpacked<PackedDescription>(row.said)
  const json = JSON.parse(new TextDecoder().decode(Bun.zstdDecompressSync(said))) as JsonObject
  return { card: unpacked<Card>(row.card), said: json, saidMs, loadedMs }
}

export async function knownMarket(sql: Queryable, venue: Venue, market: string): Promise<KnownMarket | undefined> {
  const [row] = await sql`
    SELECT m.card, m.said, e.card AS event_card, e.said AS event_said
    FROM market_metadata m LEFT JOIN event_metadata e ON e.venue = m.venue AND e.event = m.event
    WHERE m.venue = ${venue} AND m.market = ${market}`
  if (row === undefined) return undefined
  const stored = openDescription<MarketCard>(row)
  const id = stored.card.event
  if (id === null) return { ...stored, event: null }
  const said =
    row.event_card === null ? null : openDescription<EventCard>({ card: row.event_card, said: row.event_said })
  return { ...stored, event: { id, title: said?.card.title ?? null, said } }
}

/** Returns the markets in the given order. */
export async function foundMarkets(sql: Queryable, markets: readonly NamedMarket[]): Promise<FoundMarket[]> {
  if (markets.length === 0) return []
  const rows: Record<string, unknown>[] = await sql`
    SELECT m.card, e.card AS event_card, s.first_date::text, s.last_date::text, s.date_count, s.record_count, s.revision
    FROM ${marketTable(sql, markets)}
    LEFT JOIN market_metadata m ON m.venue = u.venue AND m.market = u.market
    LEFT JOIN event_metadata e ON e.venue = m.venue AND e.event = m.event
    LEFT JOIN markets s ON s.venue = u.venue AND s.market = u.market AND s.date_count > 0
    ORDER BY u.n`
  return rows.map((row, index) => {
    const card = row['card'] === null ? undefined : unpacked<MarketCard>(row['card'] as Uint8Array)
    return { ...markets[index]!, card, event: namedEvent(card, row), entry: entryOf(row) }
  })
}

function namedEvent(card: MarketCard | undefined, row: Record<string, unknown>): NamedEvent | null {
  const id = card?.event ?? null
  if (id === null) return null
  const event = row['event_card'] as Uint8Array | null
  return { id, title: event === null ? null : unpacked<EventCard>(event).title }
}

function entryOf(row: Record<string, unknown>): FoundMarket['entry'] {
  if (row['revision'] === null) return undefined
  const [firstDate, lastDate] = [String(row['first_date']), String(row['last_date'])]
  const [dateCount, recordCount, revision] = [row['date_count'], row['record_count'], row['revision']].map(Number)
  return { firstDate, lastDate, dateCount: dateCount!, recordCount: recordCount!, revision: revision! }
}

export async function knownEvent(sql: Queryable, venue: Venue, event: string): Promise<KnownEvent | undefined> {
  const rows: { market: string; card: Uint8Array | null }[] = await sql`
    SELECT m.market, e.card FROM market_metadata m LEFT JOIN event_metadata e ON e.venue = m.venue AND e.event = m.event
    WHERE m.venue = ${venue} AND m.event = ${bytesOf(event)} ORDER BY m.market`
  const [first] = rows
  if (first === undefined) return undefined
  const title = first.card === null ? null : unpacked<EventCard>(first.card).title
  return { id: event, title, markets: rows.map(({ market }) => market) }
}

export async function eventsOf(sql: Queryable, venue: Venue): Promise<ListedEvent[]> {
  const rows: { event: Uint8Array; card: Uint8Array }[] = await sql`
    SELECT event, card FROM event_metadata WHERE venue = ${venue} ORDER BY event`
  return rows.map(({ event, card }) => ({ event: textOf(event), card: unpacked<EventCard>(card) }))
}

/** Returns the tokens of up to `limit` markets after the market `after`, in order of market id. */
export async function tokensAfter(sql: Queryable, after: string, limit: number) {
  const rows: { market: string; card: Uint8Array }[] = await sql`
    SELECT market, card FROM market_metadata WHERE venue = 'polymarket' AND market > ${after}
    ORDER BY market LIMIT ${limit}`
  const tokens = rows.flatMap(({ market, card }) =>
    unpacked<MarketCard>(card).outcomes.flatMap(({ asset_id: token }) => (token === null ? [] : [{ token, market }])),
  )
  return { tokens, last: rows.length < limit ? undefined : rows.at(-1)!.market }
}

/** Returns stored descriptions by venue and id, with keys from `nameOf`. */
export async function storedMarkets(
  sql: Queryable,
  markets: readonly NamedMarket[],
): Promise<Map<string, StoredDescription<MarketCard>>> {
  const rows: (DescriptionRow & NamedMarket)[] = await sql`
    SELECT m.venue, m.market, m.card, m.said
    FROM ${marketTable(sql, markets)}
    JOIN market_metadata m ON m.venue = u.venue AND m.market = u.market`
  return new Map(rows.map((row) => [nameOf(row.venue, row.market), openDescription<MarketCard>(row)]))
}

export type NamedEventOf = { venue: Venue; event: string }

export async function storedEvents(
  sql: Queryable,
  events: readonly NamedEventOf[],
): Promise<Map<string, StoredDescription<EventCard>>> {
  const rows: (DescriptionRow & { venue: Venue; event: Uint8Array })[] = await sql`
    SELECT e.venue, e.event, e.card, e.said
    FROM ${eventTable(sql, events)}
    JOIN event_metadata e ON e.venue = u.venue AND e.event = u.event`
  return new Map(rows.map((row) => [nameOf(row.venue, textOf(row.event)), openDescription<EventCard>(row)]))
}

export const nameOf = (venue: Venue, id: string): string => `${venue} ${id}`
