// What the rest of the program asks a store without reading a block: markets, dates, heads, metadata; and how markets
// change. Asynchronous, since a second implementation (PostgreSQL, for many nodes) is planned: nothing above storage/
// knows which one runs.

import type { PartId, PartitionBooks, StoredPart } from './block-store.ts'
import type { Finding } from './finding/finding.ts'
import type { PartitionHead } from './format/partition-head.ts'
import type { MarketEntry } from './market-entry.ts'
import type { PartitionKey } from './partition-key.ts'
import type { Venue } from './venue.ts'

export type { MarketEntry }

/** What the changes of a market are planned on: 0 where nothing was ever stored. Ids and revisions of a partition that
 *  is new begin above `base`: those of one that was removed are not used again. */
export type MarketRevision = { revision: number; base: number }

export type MarketPage = { markets: string[]; totalCount: number }
export type StoredDay = { date: string; head: PartitionHead }
/** Both ends inclusive. */
export type DateRange = { from: string; to: string }

/** One market of an event, as `lookup/slug` answers it. */
export type MarketMetadata = {
  question: string
  conditionId: string
  slug: string
  asset_ids: string[]
  outcomes: string[]
}

export type SlugAnswer = { event: { slug: string; title: string } | null; markets: MarketMetadata[] }
export type SlugAnswers = { events: SlugAnswer[]; markets: SlugAnswer[] }

/** In UTF-8: a key of the store has room for it, whatever it escapes. */
export const SLUG_BYTES_MAX = 900
export const isSlugTooLong = (slug: string): boolean => Buffer.byteLength(slug) > SLUG_BYTES_MAX

/** `revision` is the market's as it was planned on. */
export type MarketChange = {
  venue: Venue
  market: string
  revision: number
  partitions: PartitionChange[]
}

export type PartitionChange = {
  key: PartitionKey
  /** Null for a new partition. */
  before: PartitionHead | null
  /** Null removes the partition, with all of its parts. */
  head: PartitionHead | null
  /** Null leaves them as they were. */
  books: PartitionBooks | null
  put: StoredPart[]
  removed: PartId[]
}

/** Every method may reject with DataError('block_corrupt'). */
export interface Catalogue extends Finding {
  /** Undefined when nothing is stored of the market. One read. */
  market(venue: Venue, market: string): Promise<MarketEntry | undefined>
  revision(venue: Venue, market: string): Promise<MarketRevision>
  /** Market ids in ascending order. */
  markets(venue: Venue, page: { prefix: string; offset: number; limit: number }): Promise<MarketPage>
  head(key: PartitionKey): Promise<PartitionHead | undefined>
  /** Stored dates with their heads, ascending. */
  heads(venue: Venue, market: string, range?: DateRange): Promise<StoredDay[]>
  /** The nearest stored date before or after one. */
  neighbour(key: PartitionKey, direction: 'before' | 'after'): Promise<StoredDay | undefined>
  /** Changes whenever an answer about these dates could: with one of their heads, or the stored date after them. */
  stamp(venue: Venue, market: string, range: DateRange): Promise<string>
  /** Changes whenever a market is added or removed. */
  marketsStamp(): Promise<string>
  /** An event slug first, then a market slug. */
  slug(slug: string): Promise<SlugAnswer | undefined>
  /** 32 random bytes made with the store: cursors are signed with them, in every process alike. */
  cursorSecret(): Promise<Uint8Array>
  /** Time of the newest stored record of a venue, null when there is none. */
  lastRecordMs(venue: Venue): Promise<number | null>
  /** Every stored partition, in key order. */
  partitions(venue: Venue): AsyncIterable<PartitionKey>
  /** What a market takes in the store: its parts and heads, without the store's own index. Reads them all. */
  bytesOf(venue: Venue, market: string): Promise<number>
  putSlugs(slugs: SlugAnswers): Promise<void>
  /** Applies each market whose revision is still what it was planned on; all of them in one transaction. Resolves to
   *  those that it refused: plan them again. Rejects with DataError('disk_full'), and has then changed nothing. */
  commit(changes: MarketChange[]): Promise<MarketChange[]>
}
