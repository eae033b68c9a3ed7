// Finds markets in PostgreSQL.

import type { SlugAnswer, SlugAnswers } from '../../catalogue.ts'
import type { MarketAudits } from '../../finding/audits.ts'
import type {
  BusiestPage,
  BusiestQuery,
  Finding,
  FoundMarket,
  KnownEvent,
  KnownMarket,
  ListedEvent,
  SearchQuery,
  StoredSums,
} from '../../finding/finding.ts'
import type { Metadata } from '../../finding/metadata.ts'
import type { ArchiveLoad, SourceOrder } from '../../finding/provenance.ts'
import type { Venue } from '../../venue.ts'
import type { Postgres } from './connection.ts'
import { readBusiest } from './finding/busiest-days.ts'
import { inParts } from './finding/packed-values.ts'
import { putEvents, putMarkets, removeMetadata } from './finding/put-metadata.ts'
import { searchKnown } from './finding/search-known.ts'
import { putAudits, readAudits } from './finding/stored-audits.ts'
import { eventsOf, foundMarkets, knownEvent, knownMarket, tokensAfter } from './finding/stored-metadata.ts'
import * as provenance from './finding/stored-provenance.ts'
import { answeredSlugs, putSlugs, readSlug } from './finding/stored-slugs.ts'
import { readEnds, readLastRecordMs, readSums } from './finding/stored-sums.ts'

const TOKEN_MARKETS_AT_ONCE = 5_000

export class PostgresFinding implements Finding {
  protected readonly postgres: Postgres

  constructor(postgres: Postgres) {
    this.postgres = postgres
  }

  async putMetadata({ markets, events }: Metadata, loadedMs: number): Promise<void> {
    for (const some of inParts(events)) await this.postgres.write((sql) => putEvents(sql, some, loadedMs))
    for (const some of inParts(markets)) await this.postgres.write((sql) => putMarkets(sql, some, loadedMs))
  }

  async putAudits(audits: MarketAudits[]): Promise<void> {
    for (const some of inParts(audits)) await this.postgres.write((sql) => putAudits(sql, some))
  }

  audits(venue: Venue, market: string): Promise<MarketAudits[]> {
    return this.postgres.ask((sql) => readAudits(sql, venue, market))
  }

  removeMetadata(venue: Venue, market: string): Promise<boolean> {
    return this.postgres.write((sql) => removeMetadata(sql, venue, market))
  }

  knownMarket(venue: Venue, market: string): Promise<KnownMarket | undefined> {
    return this.postgres.ask((sql) => knownMarket(sql, venue, market))
  }

  async tokens(): Promise<Map<string, string>> {
    const markets = new Map<string, string>()
    for (let after: string | undefined = ''; after !== undefined; ) {
      const from: string = after
      const { tokens, last } = await this.postgres.ask((sql) => tokensAfter(sql, from, TOKEN_MARKETS_AT_ONCE))
      for (const { token, market } of tokens) markets.set(token, market)
      after = last
    }
    return markets
  }

  foundMarkets(venue: Venue, markets: string[]): Promise<FoundMarket[]> {
    const named = markets.map((market) => ({ venue, market }))
    return this.postgres.ask((sql) => foundMarkets(sql, named))
  }

  event(venue: Venue, event: string): Promise<KnownEvent | undefined> {
    return this.postgres.ask((sql) => knownEvent(sql, venue, event))
  }

  events(venue: Venue): Promise<ListedEvent[]> {
    return this.postgres.ask((sql) => eventsOf(sql, venue))
  }

  search(query: SearchQuery): Promise<FoundMarket[]> {
    return this.postgres.ask((sql) => searchKnown(sql, query))
  }

  calendar(venue: Venue, range?: { from: string; to: string }): Promise<StoredSums[]> {
    return this.postgres.ask((sql) => readSums(sql, venue, range))
  }

  calendarEnds(venue: Venue): Promise<{ from: string; to: string } | undefined> {
    return this.postgres.ask((sql) => readEnds(sql, venue))
  }

  busiest(venue: Venue, date: string, query: BusiestQuery): Promise<BusiestPage> {
    return this.postgres.ask((sql) => readBusiest(sql, venue, date, query))
  }

  async putLoads(loads: ArchiveLoad[]): Promise<void> {
    if (loads.length === 0) return
    const named = provenance.namedLoads(loads)
    await this.postgres.write((sql) => provenance.putLoads(sql, named))
  }

  provenanceStamp(): Promise<number> {
    return this.postgres.ask(provenance.readStamp)
  }

  loads(): Promise<ArchiveLoad[]> {
    return this.postgres.ask(provenance.readLoads)
  }

  removeLoads(source: string): Promise<number> {
    return this.postgres.write((sql) => provenance.removeLoads(sql, source))
  }

  sourceOrder(): Promise<SourceOrder> {
    return this.postgres.ask(provenance.readSourceOrder)
  }

  async putSourceOrder(order: SourceOrder): Promise<void> {
    await this.postgres.write((sql) => provenance.putSourceOrder(sql, order))
  }

  slug(slug: string): Promise<SlugAnswer | undefined> {
    return this.postgres.ask((sql) => readSlug(sql, slug))
  }

  async putSlugs(slugs: SlugAnswers): Promise<void> {
    for (const some of inParts(answeredSlugs(slugs))) await this.postgres.write((sql) => putSlugs(sql, some))
  }

  lastRecordMs(venue: Venue): Promise<number | null> {
    return this.postgres.ask((sql) => readLastRecordMs(sql, venue))
  }
}
