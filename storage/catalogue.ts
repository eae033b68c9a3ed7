// What the rest of the program asks a store without reading a block: markets, dates, heads, metadata. One interface,
// since a second implementation (PostgreSQL, for many nodes) is planned.

import type { PartitionHead } from './format/partition-head.ts'
import type { Venue } from './venue.ts'

/** Enough to answer `date-range` with one read. Dates are YYYY-MM-DD. */
export type MarketEntry = { firstDate: string; lastDate: string; dateCount: number }

export type MarketPage = { markets: string[]; totalCount: number }

/** One market of an event, as `lookup/slug` answers it. */
export type MarketMetadata = {
  question: string
  conditionId: string
  slug: string
  asset_ids: string[]
  outcomes: string[]
}

export type SlugAnswer = { event: { slug: string; title: string } | null; markets: MarketMetadata[] }

/** In UTF-8: a key of the store has room for it, whatever it escapes. */
export const SLUG_BYTES_MAX = 900
export const isSlugTooLong = (slug: string): boolean => Buffer.byteLength(slug) > SLUG_BYTES_MAX

export interface Catalogue {
  /** Undefined when nothing is stored of the market. One read. */
  market(venue: Venue, market: string): MarketEntry | undefined
  /** Market ids in ascending order. */
  markets(venue: Venue, page: { prefix: string; offset: number; limit: number }): MarketPage
  /** Stored dates with their heads, ascending; `from`/`to` are inclusive dates. */
  heads(venue: Venue, market: string, range?: { from: string; to: string }): { date: string; head: PartitionHead }[]
  /** Changes whenever an answer about these dates could: with one of their heads, or the stored date after them. */
  stamp(venue: Venue, market: string, range: { from: string; to: string }): string
  /** Changes whenever a market is added. */
  marketsStamp(): string
  /** An event slug first, then a market slug. */
  slug(slug: string): SlugAnswer | undefined
  /** 32 random bytes made with the store: cursors are signed with them, in every process alike. */
  cursorSecret(): Uint8Array
  /** Time of the newest stored record of a venue, null when there is none. */
  lastRecordMs(venue: Venue): number | null
}
