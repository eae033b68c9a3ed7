// Search in memory. Stores only heads and metadata, and computes every answer from all of them.

import { type Audit, type MarketAudits, mergedAudits } from '../../../storage/finding/audits.ts'
import { type DaySums, type MarketDay, NO_SUMS, totalsOf } from '../../../storage/finding/day-totals.ts'
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
} from '../../../storage/finding/finding.ts'
import { type Metadata, mergedMetadata } from '../../../storage/finding/metadata.ts'
import { idOfText, marketWords, queryWords } from '../../../storage/finding/search-words.ts'
import { VENUES, type Venue } from '../../../storage/venue.ts'
import { changedSums } from '../finding/changed-sums.ts'
import { MemoryProvenance } from './memory-provenance.ts'
import { datesOf, entryOf, headOf, type MemoryState, nameOf } from './memory-state.ts'

export class MemoryFinding extends MemoryProvenance implements Finding {
  readonly #state: MemoryState

  constructor(state: MemoryState) {
    super(state)
    this.#state = state
  }

  /** Must be called when a market is stored or removed. */
  noteKnown(name: string): void {
    const { known, markets, marketMetadata } = this.#state
    if ((markets.get(name)?.days.size ?? 0) > 0 || marketMetadata.has(name)) known.add(name)
    else known.delete(name)
  }

  async putMetadata({ markets, events }: Metadata, loadedMs: number): Promise<void> {
    const { marketMetadata, eventMetadata } = this.#state
    const groups = <T extends { venue: Venue }>(all: T[], id: (each: T) => string) =>
      Map.groupBy(structuredClone(all), (each) => nameOf(each.venue, id(each)))
    for (const [name, entries] of groups(events, ({ event }) => event)) {
      eventMetadata.set(name, mergedMetadata(eventMetadata.get(name), entries, loadedMs))
    }
    for (const [name, entries] of groups(markets, ({ market }) => market)) {
      marketMetadata.set(name, mergedMetadata(marketMetadata.get(name), entries, loadedMs))
      this.noteKnown(name)
    }
  }

  async putAudits(all: MarketAudits[]): Promise<void> {
    for (const { venue, market, date, audits } of structuredClone(all)) {
      const name = nameOf(venue, market)
      const days = this.#state.audits.get(name) ?? new Map<string, Audit[]>()
      days.set(date, mergedAudits(days.get(date) ?? [], audits))
      this.#state.audits.set(name, days)
    }
  }

  async audits(venue: Venue, market: string): Promise<MarketAudits[]> {
    const days = [...(this.#state.audits.get(nameOf(venue, market)) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))
    return structuredClone(days.map(([date, audits]) => ({ venue, market, date, audits })))
  }

  async removeMetadata(venue: Venue, market: string): Promise<boolean> {
    const { marketMetadata, eventMetadata } = this.#state
    const name = nameOf(venue, market)
    const event = marketMetadata.get(name)?.card.event ?? null
    const wasKnown = marketMetadata.delete(name)
    if (event !== null && this.#membersOf(venue, event).length === 0) eventMetadata.delete(nameOf(venue, event))
    this.noteKnown(name)
    return wasKnown
  }

  async knownMarket(venue: Venue, market: string): Promise<KnownMarket | undefined> {
    const found = this.#state.marketMetadata.get(nameOf(venue, market))
    if (found === undefined) return undefined
    const id = found.card.event
    const said = id === null ? null : (this.#state.eventMetadata.get(nameOf(venue, id)) ?? null)
    return structuredClone({ ...found, event: id === null ? null : { id, title: said?.card.title ?? null, said } })
  }

  async tokens(): Promise<Map<string, string>> {
    const known = [...this.#state.marketMetadata].flatMap(([name, { card }]) => {
      const [venue, market] = name.split(' ')
      const tokens = card.outcomes.flatMap(({ asset_id: token }) => (token === null ? [] : [token]))
      return venue === 'polymarket' ? tokens.map((token) => ({ token, market: market! })) : []
    })
    known.sort((one, other) => (one.market < other.market ? -1 : 1))
    return new Map(known.map(({ token, market }) => [token, market]))
  }

  async foundMarkets(venue: Venue, markets: string[]): Promise<FoundMarket[]> {
    return markets.map((market) => this.#found(venue, market))
  }

  async events(venue: Venue): Promise<ListedEvent[]> {
    const of = `${venue} `
    const all = [...this.#state.eventMetadata].filter(([name]) => name.startsWith(of))
    return structuredClone(all.map(([name, { card }]) => ({ event: name.slice(of.length), card }))).sort((a, b) =>
      Buffer.compare(Buffer.from(a.event), Buffer.from(b.event)),
    )
  }

  async event(venue: Venue, event: string): Promise<KnownEvent | undefined> {
    const markets = this.#membersOf(venue, event)
    if (markets.length === 0) return undefined
    return { id: event, title: this.#state.eventMetadata.get(nameOf(venue, event))?.card.title ?? null, markets }
  }

  async search({ text, venue, limit }: SearchQuery): Promise<FoundMarket[]> {
    const words = queryWords(text)
    const venues = VENUES.filter((each) => venue === undefined || each === venue)
    const found = venues.flatMap((each) => this.#matching(each, words).map((market) => this.#found(each, market)))
    const rank = ({ venue: of, market }: FoundMarket) => {
      const id = idOfText(text, of)
      if (market === id) return 0
      return id !== null && market.startsWith(id) ? 1 : 2
    }
    const day = ({ entry }: FoundMarket) => entry?.lastDate ?? ''
    found.sort((a, b) => rank(a) - rank(b) || (day(a) === day(b) ? 0 : day(a) > day(b) ? -1 : 1))
    return words.length === 0 ? [] : found.slice(0, limit)
  }

  async calendar(venue: Venue, range?: { from: string; to: string }): Promise<StoredSums[]> {
    const sums = new Map<string, DaySums>()
    for (const { date, head } of this.#heads(venue)) {
      if (range !== undefined && (date < range.from || date > range.to)) continue
      sums.set(date, changedSums(sums.get(date) ?? NO_SUMS, null, totalsOf(head)))
    }
    return [...sums].map(([date, sum]) => ({ date, ...sum })).sort((a, b) => (a.date < b.date ? -1 : 1))
  }

  async calendarEnds(venue: Venue): Promise<{ from: string; to: string } | undefined> {
    const dates = this.#heads(venue).map(({ date }) => date)
    dates.sort()
    return dates.length === 0 ? undefined : { from: dates[0]!, to: dates.at(-1)! }
  }

  async busiest(venue: Venue, date: string, query: BusiestQuery): Promise<BusiestPage> {
    const { by, text, offset = 0, limit } = query
    const having = text === undefined ? null : new Set(this.#matching(venue, queryWords(text)))
    const days = this.#heads(venue).filter((day) => day.date === date && having?.has(day.market) !== false)
    const rows = days.map(({ market, head }): MarketDay => {
      const { records, trades, volume, gaps, gapMs } = totalsOf(head)
      return { market, records, trades, volume, gaps, gapMs }
    })
    rows.sort((a, b) => (by === 'market' || a[by] === b[by] ? (a.market < b.market ? -1 : 1) : a[by] > b[by] ? -1 : 1))
    return { days: rows.slice(offset, offset + limit), totalCount: rows.length }
  }

  /** Returns the matching markets, the most recently added first. */
  #matching(venue: Venue, words: string[]): string[] {
    const all = [...this.#state.known].filter((name) => name.startsWith(`${venue} `))
    return all
      .map((name) => name.slice(venue.length + 1))
      .reverse()
      .filter((market) => {
        const card = this.#state.marketMetadata.get(nameOf(venue, market))?.card
        const event = card?.event ? this.#state.eventMetadata.get(nameOf(venue, card.event))?.card : undefined
        const has = marketWords(market, card, event)
        return words.every((word) => has.some((each) => each.startsWith(word)))
      })
  }

  #found(venue: Venue, market: string): FoundMarket {
    const { marketMetadata, eventMetadata, markets } = this.#state
    const card = marketMetadata.get(nameOf(venue, market))?.card
    const id = card?.event ?? null
    const title = id === null ? null : (eventMetadata.get(nameOf(venue, id))?.card.title ?? null)
    const event = id === null ? null : { id, title }
    return structuredClone({ venue, market, card, event, entry: entryOf(markets.get(nameOf(venue, market))) })
  }

  #membersOf(venue: Venue, event: string): string[] {
    return [...this.#state.marketMetadata]
      .filter(([name, { card }]) => name.startsWith(`${venue} `) && card.event === event)
      .map(([name]) => name.slice(venue.length + 1))
      .sort()
  }

  #heads(venue: Venue) {
    return [...this.#state.markets].flatMap(([name, stored]) => {
      if (!name.startsWith(`${venue} `)) return []
      const market = name.slice(venue.length + 1)
      return datesOf(stored).map((date) => ({ market, date, head: headOf(stored, date)! }))
    })
  }
}
