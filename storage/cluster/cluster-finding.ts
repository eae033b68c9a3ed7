// Finds markets in a cluster: passes every query to the database.

import type { MarketAudits } from '../finding/audits.ts'
import type { BusiestQuery, Finding, SearchQuery } from '../finding/finding.ts'
import type { Metadata } from '../finding/metadata.ts'
import type { ArchiveLoad, SourceOrder } from '../finding/provenance.ts'
import type { Venue } from '../venue.ts'
import type { ClusterDatabase } from './database/cluster-database.ts'

export class ClusterFinding implements Finding {
  protected readonly database: ClusterDatabase

  constructor(database: ClusterDatabase) {
    this.database = database
  }

  putMetadata = (metadata: Metadata, loadedMs: number) => this.database.putMetadata(metadata, loadedMs)
  putAudits = (audits: MarketAudits[]) => this.database.putAudits(audits)
  audits = (venue: Venue, market: string) => this.database.audits(venue, market)
  removeMetadata = (venue: Venue, market: string) => this.database.removeMetadata(venue, market)
  knownMarket = (venue: Venue, market: string) => this.database.knownMarket(venue, market)
  tokens = () => this.database.tokens()
  foundMarkets = (venue: Venue, markets: string[]) => this.database.foundMarkets(venue, markets)
  event = (venue: Venue, event: string) => this.database.event(venue, event)
  events = (venue: Venue) => this.database.events(venue)
  search = (query: SearchQuery) => this.database.search(query)
  calendar = (venue: Venue, range?: { from: string; to: string }) => this.database.calendar(venue, range)
  calendarEnds = (venue: Venue) => this.database.calendarEnds(venue)
  busiest = (venue: Venue, date: string, query: BusiestQuery) => this.database.busiest(venue, date, query)
  putLoads = (loads: ArchiveLoad[]) => this.database.putLoads(loads)
  provenanceStamp = () => this.database.provenanceStamp()
  loads = () => this.database.loads()
  removeLoads = (source: string) => this.database.removeLoads(source)
  sourceOrder = () => this.database.sourceOrder()
  putSourceOrder = (order: SourceOrder) => this.database.putSourceOrder(order)
}
