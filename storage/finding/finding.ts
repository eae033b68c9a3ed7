// The part of the port (catalogue.ts) that finds markets. Search, calendar and the busiest markets come from an index
// that changes with every commit, so none of them reads heads or records.

import type { MarketEntry } from '../market-entry.ts'
import type { Venue } from '../venue.ts'
import type { MarketAudits } from './audits.ts'
import type { DaySums, MarketDay } from './day-totals.ts'
import type { EventCard, MarketCard, Metadata, StoredDescription } from './metadata.ts'
import type { Provenance } from './provenance.ts'

/** An event as named by a market. */
export type NamedEvent = { id: string; title: string | null }

export type KnownMarket = StoredDescription<MarketCard> & {
  event: (NamedEvent & { said: StoredDescription<EventCard> | null }) | null
}

/** An event with its markets, ascending, including those without records. */
export type KnownEvent = NamedEvent & { markets: string[] }

/** An event that metadata describes. */
export type ListedEvent = { event: string; card: EventCard }

/** A market that was found. `card` is undefined if no metadata is known, `entry` if no record is stored. */
export type FoundMarket = {
  venue: Venue
  market: string
  card: MarketCard | undefined
  event: NamedEvent | null
  entry: MarketEntry | undefined
}

/** A search. `venue` limits it to one venue. `text` contains at least one letter or digit. */
export type SearchQuery = { text: string; venue: Venue | undefined; limit: number }

/** The orders of a list of markets: `market` is ascending, the others are descending. */
export const BUSY_BY = ['records', 'trades', 'volume', 'market'] as const
export type BusyBy = (typeof BUSY_BY)[number]

/** A query for the busiest markets. `text` limits it to markets that have all of its words, as in a search; it contains
 *  at least one letter or digit. */
export type BusiestQuery = { by: BusyBy; text?: string | undefined; offset?: number; limit: number }
/** One page of the busiest markets. `totalCount` counts the markets of all pages. */
export type BusiestPage = { days: MarketDay[]; totalCount: number }

export type StoredSums = DaySums & { date: string }

/** Every method may reject with DataError('block_corrupt'). */
export interface Finding extends Provenance {
  /** Merges metadata with the stored metadata (metadata.ts). Putting the same again changes nothing. Rejects with
   *  DataError('disk_full'). */
  putMetadata(metadata: Metadata, loadedMs: number): Promise<void>
  /** Adds audits to the stored ones of their markets and dates; putting the same again changes nothing. Rejects with
   *  DataError('disk_full'). Removing a date removes its audits. */
  putAudits(audits: MarketAudits[]): Promise<void>
  /** Returns the audits of every date that has some, ascending. */
  audits(venue: Venue, market: string): Promise<MarketAudits[]>
  /** Removes a market's metadata. Resolves to whether there was any. */
  removeMetadata(venue: Venue, market: string): Promise<boolean>
  /** Returns a market's metadata; undefined if none is known. */
  knownMarket(venue: Venue, market: string): Promise<KnownMarket | undefined>
  /** Returns the market of every Polymarket token that metadata names. Reads all stored metadata. */
  tokens(): Promise<Map<string, string>>
  /** Returns each of these markets as `search` does, in the given order. */
  foundMarkets(venue: Venue, markets: string[]): Promise<FoundMarket[]>
  /** Returns all markets whose metadata names the event: by its ticker, or on Polymarket by its slug. Undefined if
   *  there are none. */
  event(venue: Venue, event: string): Promise<KnownEvent | undefined>
  /** Returns all events of a venue that metadata describes, ascending by id. Reads each card. */
  events(venue: Venue): Promise<ListedEvent[]>
  /** Returns the markets for which each word of the text is the start of a word of the id, slug, title, event or
   *  outcomes. Order: the market whose id is the text, then those whose id starts with the text, then by the newest
   *  stored date; among equals, the market that became known last comes first. */
  search(query: SearchQuery): Promise<FoundMarket[]>
  /** Returns the sums of the dates that have stored records, ascending; both ends inclusive. */
  calendar(venue: Venue, range?: { from: string; to: string }): Promise<StoredSums[]>
  /** Returns the first and the last date that has stored records; undefined if there are none. */
  calendarEnds(venue: Venue): Promise<{ from: string; to: string } | undefined>
  /** Returns the busiest markets of a date; equal ones ascending by market. */
  busiest(venue: Venue, date: string, query: BusiestQuery): Promise<BusiestPage>
}
