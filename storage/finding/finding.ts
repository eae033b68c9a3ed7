// What finds markets: part of the port (catalogue.ts). Search, calendar and the busiest markets come from what is kept
// with every commit, so none of them reads heads or records.

import type { MarketEntry } from '../market-entry.ts'
import type { Venue } from '../venue.ts'
import type { MarketAudits } from './audits.ts'
import type { DaySums, MarketDay } from './day-figures.ts'
import type { EventCard, Kept, MarketCard, Metadata } from './metadata.ts'
import type { Provenance } from './provenance.ts'

/** An event as a market names it. */
export type NamedEvent = { id: string; title: string | null }

export type KnownMarket = Kept<MarketCard> & { event: (NamedEvent & { said: Kept<EventCard> | null }) | null }

/** `markets` ascending, those without records included. */
export type KnownEvent = NamedEvent & { markets: string[] }

/** An event of which the venue says something. */
export type ListedEvent = { event: string; card: EventCard }

/** `card` is undefined where no metadata is known, `entry` where no record is stored. */
export type FoundMarket = {
  venue: Venue
  market: string
  card: MarketCard | undefined
  event: NamedEvent | null
  entry: MarketEntry | undefined
}

/** `venue`: only this one. `text` holds at least one letter or digit. */
export type SearchQuery = { text: string; venue: Venue | undefined; limit: number }

/** What a list of markets is ordered by: descending, and by `market` ascending. */
export const BUSY_BY = ['records', 'trades', 'volume', 'market'] as const
export type BusyBy = (typeof BUSY_BY)[number]

/** `text`: only markets that have all of its words, as in a search; it holds at least one letter or digit. */
export type BusiestQuery = { by: BusyBy; text?: string | undefined; offset?: number; limit: number }
/** `totalCount`: in all pages together. */
export type BusiestPage = { days: MarketDay[]; totalCount: number }

export type StoredSums = DaySums & { date: string }

/** Every method may reject with DataError('block_corrupt'). */
export interface Finding extends Provenance {
  /** Merges it with what is kept (metadata.ts); saying a thing again changes nothing. Rejects with
   *  DataError('disk_full'). */
  putMetadata(metadata: Metadata, loadedMs: number): Promise<void>
  /** Adds to what is kept of their markets and dates; saying a thing again changes nothing. Rejects with
   *  DataError('disk_full'). A date that is removed loses its audits. */
  putAudits(audits: MarketAudits[]): Promise<void>
  /** Of every date that has some, ascending. */
  audits(venue: Venue, market: string): Promise<MarketAudits[]>
  /** Resolves to whether there was any. */
  removeMetadata(venue: Venue, market: string): Promise<boolean>
  /** Undefined where no metadata is known. */
  knownMarket(venue: Venue, market: string): Promise<KnownMarket | undefined>
  /** The market of every token of Polymarket that metadata names. Reads all that is kept. */
  tokens(): Promise<Map<string, string>>
  /** Each of them as `search` gives it, in the same order. */
  foundMarkets(venue: Venue, markets: string[]): Promise<FoundMarket[]>
  /** All markets whose metadata names the event: its ticker, or its slug on Polymarket. Undefined where none does. */
  event(venue: Venue, event: string): Promise<KnownEvent | undefined>
  /** All events of a venue that metadata describes, ascending by id. Reads each card. */
  events(venue: Venue): Promise<ListedEvent[]>
  /** Markets of which every word of the text begins a word of id, slug, title, event or outcome. First the one with
   *  this id, then those whose id begins with the text, then by the newest stored date; among equals, those that became
   *  known last. */
  search(query: SearchQuery): Promise<FoundMarket[]>
  /** Dates of which something is stored, ascending; both ends inclusive. */
  calendar(venue: Venue, range?: { from: string; to: string }): Promise<StoredSums[]>
  /** The first and last of them. */
  calendarEnds(venue: Venue): Promise<{ from: string; to: string } | undefined>
  /** Equal ones ascending by market. */
  busiest(venue: Venue, date: string, query: BusiestQuery): Promise<BusiestPage>
}
