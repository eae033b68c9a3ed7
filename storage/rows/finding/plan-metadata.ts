// Plans how metadata changes rows: descriptions of markets and events, the markets of events, and the search index. The
// words of an event are also words of its markets, so only one writer may change metadata at a time.

import type { EventCard, EventDescription, MarketCard, MarketDescription } from '../../finding/metadata.ts'
import { mergedMetadata, type StoredDescription } from '../../finding/metadata.ts'
import type { Venue } from '../../venue.ts'
import { knownKey } from '../keys.ts'
import { type RowCommit, type RowKey, type Rows, revisionOf } from '../rows.ts'
import { sealPacked } from '../sealed-rows.ts'
import { SharedRows, type Write } from '../shared-rows.ts'
import { beginCounted, METADATA_KEY } from '../store-values.ts'
import { GONE, IndexChange, NO_CARDS, openKnown, writeKnown } from './index-change.ts'
import {
  eventKey,
  marketKey,
  memberKey,
  membersOf,
  openCard,
  openDescription,
  sealDescription,
} from './metadata-rows.ts'

type Plan = { rows: Rows; shard: string; loadedMs: number; isFresh: boolean }

/** Plans how to store events; returns null if nothing changes. Searching for an event's words also finds its
 *  markets. */
export async function planEvents(
  events: readonly EventDescription[],
  { rows, loadedMs, isFresh }: Plan,
): Promise<RowCommit | null> {
  const write = await beginCounted(rows, METADATA_KEY, isFresh)
  const updates = Map.groupBy(events, ({ venue, event }) => eventKey(venue, event))
  const keys = [...updates.keys()]
  const stored = await rows.get(keys, isFresh)
  const index = new IndexChange(rows)
  for (const [at, key] of keys.entries()) {
    const before = stored[at] && openDescription<EventCard>(key, stored[at])
    const after = mergedMetadata(before, updates.get(key)!, loadedMs)
    if (after === before) continue
    write.expect.push({ key, revision: revisionOf(stored[at]) })
    write.put.push({ key, value: sealDescription(key, after) })
    if (Bun.deepEquals(before?.card, after.card)) continue
    const { venue, event } = updates.get(key)![0]!
    await changeMembers(rows, index, { venue, event, before: before?.card, after: after.card })
  }
  if (write.put.length === 1) return null
  await index.finish(write)
  return write
}

type ChangedEvent = { venue: Venue; event: string; before: EventCard | undefined; after: EventCard }

async function changeMembers(rows: Rows, index: IndexChange, { venue, event, before, after }: ChangedEvent) {
  const markets = await membersOf(rows, venue, event)
  const keys = markets.map((market) => marketKey(venue, market))
  const knownKeys = markets.map((market) => knownKey(venue, market))
  const stored = await rows.get([...keys, ...knownKeys])
  for (const [at, market] of markets.entries()) {
    const card = openCard<MarketCard>(keys[at]!, stored[at])
    const bytes = stored[markets.length + at]
    if (bytes === undefined) continue
    const { number } = openKnown(knownKeys[at]!, bytes)
    index.change({ venue, market, number, before: { card, event: before }, after: { card, event: after } })
  }
}

/** Plans how to store markets; returns null if nothing changes. */
export async function planMarkets(
  markets: readonly MarketDescription[],
  { rows, shard, loadedMs, isFresh }: Plan,
): Promise<RowCommit | null> {
  const write = await beginCounted(rows, METADATA_KEY, isFresh)
  const updates = Map.groupBy(markets, ({ venue, market }) => marketKey(venue, market))
  const shared = new SharedRows(shard, new Set(markets.map(({ venue }) => venue)))
  const keys = [...updates.keys()]
  const names = [...updates.values()].map(([first]) => first!)
  const knownKeys = names.map(({ venue, market }) => knownKey(venue, market))
  const stored = await rows.get([...keys, ...knownKeys, ...shared.keys], isFresh)
  shared.open(stored.slice(2 * keys.length))
  const changed = keys.flatMap((key, at) => {
    const bytes = stored[at]
    const before = bytes && openDescription<MarketCard>(key, bytes)
    const after = mergedMetadata(before, updates.get(key)!, loadedMs)
    return after === before ? [] : [{ key, at, bytes, before, after }]
  })
  if (changed.length === 0) return null
  const events = await eventCards(
    rows,
    changed.flatMap(({ at, before, after }) => {
      const { venue } = names[at]!
      return [before?.card.event, after.card.event].flatMap((event) => (event ? eventKey(venue, event) : []))
    }),
  )
  const index = new IndexChange(rows)
  for (const { key, at, bytes, before, after } of changed) {
    const { venue, market } = names[at]!
    write.expect.push({ key, revision: revisionOf(bytes) })
    write.put.push({ key, value: sealDescription(key, after) })
    writeMember(write, names[at]!, before?.card.event, after.card.event)
    const known = { key: knownKeys[at]!, bytes: stored[keys.length + at] }
    const knownBefore = known.bytes && openKnown(known.key, known.bytes)
    const number = knownBefore?.number ?? (await shared.nextNumber(rows, venue))
    if (knownBefore?.isDescribed !== true) {
      const isStored = knownBefore?.isStored ?? false
      writeKnown(write, names[at]!, known, { number, isStored, isDescribed: true }, number)
    }
    const cardsOf = ({ card }: StoredDescription<MarketCard>) => ({
      card,
      event: card.event ? events.get(eventKey(venue, card.event)) : undefined,
    })
    const words = { before: before ? cardsOf(before) : knownBefore ? NO_CARDS : null, after: cardsOf(after) }
    index.change({ venue, market, number, ...words, ...(knownBefore ? {} : { day: 0 }) })
  }
  await index.finish(write)
  shared.finish(write)
  return write
}

/** Plans how to remove the metadata of a market; returns null if there is none. The event stays while another market
 *  names it. */
export async function planRemoval(
  { venue, market }: { venue: Venue; market: string },
  { rows, isFresh }: Pick<Plan, 'rows' | 'isFresh'>,
): Promise<RowCommit | null> {
  const write = await beginCounted(rows, METADATA_KEY, isFresh)
  const [key, known] = [marketKey(venue, market), knownKey(venue, market)]
  const [bytes, knownBytes] = await rows.get([key, known], isFresh)
  const card = openCard<MarketCard>(key, bytes)
  if (card === undefined) return null
  write.expect.push({ key, revision: revisionOf(bytes) })
  write.remove.push(key)
  const events = await eventCards(rows, card.event === null ? [] : [eventKey(venue, card.event)])
  writeMember(write, { venue, market }, card.event, null)
  if (card.event !== null) {
    const members = await membersOf(rows, venue, card.event)
    if (members.every((member) => member === market)) write.remove.push(eventKey(venue, card.event))
  }
  if (knownBytes !== undefined) {
    const { number, isStored } = openKnown(known, knownBytes)
    const next = isStored ? { number, isStored, isDescribed: false } : null
    writeKnown(write, { venue, market }, { key: known, bytes: knownBytes }, next, number)
    const index = new IndexChange(rows)
    const before = { card, event: [...events.values()][0] }
    const after = isStored ? NO_CARDS : null
    index.change({ venue, market, number, before, after, ...(isStored ? {} : { day: GONE }) })
    await index.finish(write)
  }
  return write
}

function writeMember(
  write: Write,
  { venue, market }: { venue: Venue; market: string },
  before: string | null | undefined,
  after: string | null,
): void {
  if ((before ?? null) === after) return
  if (before) write.remove.push(memberKey(venue, before, market))
  if (!after) return
  const key = memberKey(venue, after, market)
  write.put.push({ key, value: sealPacked(key, null) })
}

async function eventCards(rows: Rows, keys: readonly RowKey[]): Promise<Map<RowKey, EventCard | undefined>> {
  const unique = [...new Set(keys)]
  const stored = await rows.get(unique)
  return new Map(unique.map((key, at) => [key, openCard<EventCard>(key, stored[at])]))
}
