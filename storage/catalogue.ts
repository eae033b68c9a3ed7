// The port to everything that is answered without reading a block: markets, dates, heads, metadata, and changes of
// markets. All methods are asynchronous, because the store may be a database (storage/cluster). Nothing above storage/
// knows which implementation runs.

import type { PartId, PartitionBooks, StoredPart } from './block-store.ts'
import type { Finding } from './finding/finding.ts'
import type { PartitionHead } from './format/partition-head.ts'
import type { MarketEntry } from './market-entry.ts'
import type { PartitionKey } from './partition-key.ts'
import type { Venue } from './venue.ts'

export type { MarketEntry }

/** The state that a change of a market is planned on. `revision` is 0 if nothing was ever stored. Ids and revisions of
 *  a new partition start above `base`, so that the ids and revisions of a removed partition are never used again. */
export type MarketRevision = { revision: number; base: number }

export type MarketPage = { markets: string[]; totalCount: number }
export type StoredDay = { date: string; head: PartitionHead }
/** A range of dates, both ends inclusive. */
export type DateRange = { from: string; to: string }

/** One market of an event, as `lookup/slug` returns it. */
export type MarketMetadata = {
  question: string
  conditionId: string
  slug: string
  asset_ids: string[]
  outcomes: string[]
}

export type SlugAnswer = { event: { slug: string; title: string } | null; markets: MarketMetadata[] }
export type SlugAnswers = { events: SlugAnswer[]; markets: SlugAnswer[] }

/** The longest slug, in bytes of UTF-8. It fits into a key of the store even if every byte is escaped. */
export const SLUG_BYTES_MAX = 900
export const isSlugTooLong = (slug: string): boolean => Buffer.byteLength(slug) > SLUG_BYTES_MAX

/** A planned change of one market. `revision` is the market's revision that the change was planned on. */
export type MarketChange = {
  venue: Venue
  market: string
  revision: number
  partitions: PartitionChange[]
}

export type PartitionChange = {
  key: PartitionKey
  /** The head that the change was planned on; null for a new partition. */
  before: PartitionHead | null
  /** The new head; null removes the partition and all of its parts. */
  head: PartitionHead | null
  /** The new opening and closing books; null leaves them unchanged. */
  books: PartitionBooks | null
  put: StoredPart[]
  removed: PartId[]
}

/** Every method may reject with DataError('block_corrupt'). */
export interface Catalogue extends Finding {
  /** Returns the market's entry, or undefined if nothing is stored of it. Costs one read. */
  market(venue: Venue, market: string): Promise<MarketEntry | undefined>
  revision(venue: Venue, market: string): Promise<MarketRevision>
  /** Returns market ids in ascending order. */
  markets(venue: Venue, page: { prefix: string; offset: number; limit: number }): Promise<MarketPage>
  head(key: PartitionKey): Promise<PartitionHead | undefined>
  /** Returns stored dates with their heads, ascending. */
  heads(venue: Venue, market: string, range?: DateRange): Promise<StoredDay[]>
  /** Returns the nearest stored date before or after the given one. */
  neighbour(key: PartitionKey, direction: 'before' | 'after'): Promise<StoredDay | undefined>
  /** Returns a stamp that changes whenever an answer about these dates can change: when one of their heads changes, or
   *  when the next stored date after them changes. */
  stamp(venue: Venue, market: string, range: DateRange): Promise<string>
  /** Returns a stamp that changes whenever a market is added or removed. */
  marketsStamp(): Promise<string>
  /** Looks the slug up as an event slug first, then as a market slug. */
  slug(slug: string): Promise<SlugAnswer | undefined>
  /** Returns the 32 random bytes that were generated for this store. All processes sign cursors with them. */
  cursorSecret(): Promise<Uint8Array>
  /** Returns the time of the venue's newest stored record, Unix ms; null if there is none. */
  lastRecordMs(venue: Venue): Promise<number | null>
  /** Iterates over all stored partitions, in key order. */
  partitions(venue: Venue): AsyncIterable<PartitionKey>
  putSlugs(slugs: SlugAnswers): Promise<void>
  /** Applies, in one transaction, each change whose market still has the revision that the change was planned on.
   *  Resolves to the refused changes; the caller plans them again. If it rejects with DataError('disk_full'), nothing
   *  has changed. */
  commit(changes: MarketChange[]): Promise<MarketChange[]>
}
