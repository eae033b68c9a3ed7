// Finds markets in rows.

import type { DateRange, MarketEntry } from '../../catalogue.ts'
import { isSlugTooLong } from '../../catalogue.ts'
import { AUDIT_RESULTS, type Audit, type MarketAudits, mergedAudits } from '../../finding/audits.ts'
import { addSums } from '../../finding/day-totals.ts'
import type {
  BusiestPage,
  BusiestQuery,
  BusyBy,
  Finding,
  FoundMarket,
  KnownEvent,
  KnownMarket,
  ListedEvent,
  SearchQuery,
  StoredSums,
} from '../../finding/finding.ts'
import type { EventCard, MarketCard, Metadata } from '../../finding/metadata.ts'
import { queryWords } from '../../finding/search-words.ts'
import { checksumOf } from '../../format/block.ts'
import { VENUES, type Venue } from '../../venue.ts'
import { auditsKey, below, datesIn, entryKey, keyOf, lastNameOf, namesOf } from '../keys.ts'
import { amountIn, openCounts, openMarket, openSums, parseCounts } from '../market-rows.ts'
import { ALL_ROWS, commitPlanned, type RowKey, type Rows, revisionOf } from '../rows.ts'
import { openPacked, sealPacked } from '../sealed-rows.ts'
import type { Write } from '../shared-rows.ts'
import { cardsOf, described, eventKey, eventsOf, marketKey, membersOf, openCard, tokensOf } from './metadata-rows.ts'
import { planEvents, planMarkets, planRemoval } from './plan-metadata.ts'
import { RowProvenance } from './row-provenance.ts'
import { VenueSearch } from './venue-search.ts'

/** Maximum number of descriptions or audits in one commit, so that other writers never wait for long. */
const AT_ONCE = 500

/** Audits as columns. A result is its index in AUDIT_RESULTS. */
type PackedAudits = [timesUs: number[], books: (string | null)[], results: number[]]

export class RowFinding extends RowProvenance implements Finding {
  /** The busy days of the date that was requested last. */
  #lastDays: { stamp: string; days: readonly BusyDay[] } | undefined
  protected readonly shard: string

  /** `shard` is that of this process. */
  constructor(rows: Rows, shard: string) {
    super(rows)
    this.shard = shard
  }

  async putMetadata({ markets, events }: Metadata, loadedMs: number): Promise<void> {
    const { rows, shard } = this
    for (const some of inParts(events)) {
      await commitPlanned(rows, (isFresh) => planEvents(some, { rows, shard, loadedMs, isFresh }))
    }
    for (const some of inParts(markets)) {
      await commitPlanned(rows, (isFresh) => planMarkets(some, { rows, shard, loadedMs, isFresh }))
    }
  }

  async removeMetadata(venue: Venue, market: string): Promise<boolean> {
    const { rows } = this
    let wasKnown = false
    await commitPlanned(rows, async (isFresh) => {
      const planned = await planRemoval({ venue, market }, { rows, isFresh })
      wasKnown = planned !== null
      return planned
    })
    return wasKnown
  }

  async putAudits(audits: MarketAudits[]): Promise<void> {
    const byKey = Map.groupBy(audits, auditsKey)
    for (const keys of inParts([...byKey.keys()])) {
      await commitPlanned(this.rows, async (isFresh) => {
        const stored = await this.rows.get(keys, isFresh)
        const write: Write = { expect: [], put: [], remove: [] }
        for (const [index, key] of keys.entries()) {
          const bytes = stored[index]
          const before = bytes === undefined ? [] : openAudits(key, bytes).audits
          const after = byKey.get(key)!.reduce((sum, each) => mergedAudits(sum, each.audits), before)
          if (after === before) continue
          write.expect.push({ key, revision: revisionOf(bytes) })
          write.put.push({ key, value: sealPacked(key, packedAudits(after)) })
        }
        return write.put.length === 0 ? null : write
      })
    }
  }

  async audits(venue: Venue, market: string): Promise<MarketAudits[]> {
    const rows = await this.rows.range({ ...below(keyOf('u', venue, market)), limit: ALL_ROWS })
    return rows.map(({ key, value }) => openAudits(key, value))
  }

  async knownMarket(venue: Venue, market: string): Promise<KnownMarket | undefined> {
    const stored = await described<MarketCard>(this.rows, marketKey(venue, market))
    if (stored === undefined) return undefined
    const id = stored.card.event
    if (id === null) return { ...stored, event: null }
    const said = (await described<EventCard>(this.rows, eventKey(venue, id))) ?? null
    return { ...stored, event: { id, title: said?.card.title ?? null, said } }
  }

  tokens(): Promise<Map<string, string>> {
    return tokensOf(this.rows)
  }

  foundMarkets(venue: Venue, markets: string[]): Promise<FoundMarket[]> {
    return this.#found(markets.map((market) => ({ venue, market })))
  }

  async event(venue: Venue, event: string): Promise<KnownEvent | undefined> {
    if (isSlugTooLong(event)) return undefined
    const markets = await membersOf(this.rows, venue, event)
    if (markets.length === 0) return undefined
    const key = eventKey(venue, event)
    const [bytes] = await this.rows.get([key])
    return { id: event, title: openCard<EventCard>(key, bytes)?.title ?? null, markets }
  }

  events(venue: Venue): Promise<ListedEvent[]> {
    return eventsOf(this.rows, venue)
  }

  async search({ text, venue, limit }: SearchQuery): Promise<FoundMarket[]> {
    const words = queryWords(text)
    if (words.length === 0) return []
    const venues = venue === undefined ? VENUES : [venue]
    const found = await Promise.all(venues.map((each) => new VenueSearch(this.rows, each, text, words).hits(limit)))
    const hits = found.flat().sort((a, b) => a.rank - b.rank || b.day - a.day)
    return this.#found(hits.slice(0, limit).map(({ venue: of, market }) => ({ venue: of, market })))
  }

  async calendar(venue: Venue, range?: DateRange): Promise<StoredSums[]> {
    const rows = await this.rows.range({ ...datesIn('s', [venue], range), limit: ALL_ROWS })
    const sums: StoredSums[] = []
    for (const { key, value } of rows) {
      const date = namesOf(key)[1]!
      const last = sums.at(-1)
      if (last?.date === date) addSums(last, openSums(key, value))
      else sums.push({ date, ...openSums(key, value) })
    }
    return sums.filter(({ markets }) => markets > 0)
  }

  async calendarEnds(venue: Venue): Promise<DateRange | undefined> {
    const [from, to] = await Promise.all([this.#end(venue, false), this.#end(venue, true)])
    return from === undefined || to === undefined ? undefined : { from, to }
  }

  async busiest(venue: Venue, date: string, { by, text, offset = 0, limit }: BusiestQuery): Promise<BusiestPage> {
    let days = await this.#daysOf(venue, date)
    if (text !== undefined) {
      const search = new VenueSearch(this.rows, venue, text, queryWords(text))
      const markets = await search.matching(days.map(({ market }) => market))
      days = days.filter(({ market }) => markets.has(market))
    }
    const page = (by === 'market' ? days : busiestFirst(days, by, offset + limit)).slice(offset, offset + limit)
    return {
      days: page.map(({ market, counts }) => ({ market, ...parseCounts(counts) })),
      totalCount: days.length,
    }
  }

  /** Returns the days of all markets, ascending by market. Caches the days of one date. Any change of a day changes the
   *  sums of its date, so the sums show whether the cached days are current. */
  async #daysOf(venue: Venue, date: string): Promise<readonly BusyDay[]> {
    const sums = await this.rows.range({ ...below(keyOf('s', venue, date)), limit: ALL_ROWS })
    const stamp = [venue, date, ...sums.map(({ value }) => checksumOf(value))].join(' ')
    if (this.#lastDays?.stamp === stamp) return this.#lastDays.days
    const range = below(keyOf('a', venue, date))
    const days = (await this.rows.range({ ...range, limit: ALL_ROWS })).map(
      ({ key, value }): BusyDay => ({ market: lastNameOf(key, range), counts: openCounts(key, value) }),
    )
    this.#lastDays = { stamp, days }
    return days
  }

  /** Returns the first date that has stored records, or the last one if `isReversed`; undefined if there is none. */
  async #end(venue: Venue, isReversed: boolean): Promise<string | undefined> {
    let { from, to } = below(keyOf('s', venue))
    for (;;) {
      const [row] = await this.rows.range({ from, to, limit: 1, isReversed })
      if (row === undefined) return undefined
      const date = namesOf(row.key)[1]!
      const range = below(keyOf('s', venue, date))
      if ((await this.calendar(venue, { from: date, to: date })).length > 0) return date
      if (isReversed) to = range.from
      else from = range.to
    }
  }

  async #found(markets: readonly { venue: Venue; market: string }[]): Promise<FoundMarket[]> {
    const keys = markets.map(({ venue, market }) => entryKey(venue, market))
    const [cards, entries] = await Promise.all([cardsOf(this.rows, markets), this.rows.get(keys)])
    return markets.map(({ venue, market }, index) => {
      const { card, event } = cards[index]!
      const id = card?.event ?? null
      const named = id === null ? null : { id, title: event?.title ?? null }
      return { venue, market, card, event: named, entry: entryIn(keys[index]!, entries[index]) }
    })
  }
}

type BusyDay = { market: string; counts: string }

/** Returns the `count` busiest days, the busiest first; days with equal amounts keep their order. */
function busiestFirst(days: readonly BusyDay[], by: Exclude<BusyBy, 'market'>, count: number): BusyDay[] {
  const amounts = Float64Array.from(days, ({ counts }) => amountIn(counts, by))
  const least = amounts.toSorted()[Math.max(0, days.length - count)] ?? 0
  let equal = count - amounts.reduce((sum, amount) => sum + Number(amount > least), 0)
  // Amounts above MAX_SAFE_INTEGER are rounded, so unequal amounts may look equal.
  if (least > Number.MAX_SAFE_INTEGER) equal = Number.POSITIVE_INFINITY
  const first: { day: BusyDay; amount: number | bigint }[] = []
  for (const [index, day] of days.entries()) {
    const amount = amounts[index]!
    if (amount > least || (amount === least && equal-- > 0)) first.push({ day, amount: parseCounts(day.counts)[by] })
  }
  first.sort((a, b) => (a.amount === b.amount ? 0 : a.amount > b.amount ? -1 : 1))
  return first.map(({ day }) => day)
}

/** Returns the entry in a market's row; undefined if nothing is stored. */
export function entryIn(key: RowKey, bytes: Uint8Array | undefined): MarketEntry | undefined {
  if (bytes === undefined) return undefined
  const { base: _, moves: __, ...entry } = openMarket(key, bytes)
  return entry
}

/** Throws DataError('block_corrupt'). */
export function openAudits(key: RowKey, bytes: Uint8Array): MarketAudits {
  const [venue, market, date] = namesOf(key) as [Venue, string, string]
  const [timesUs, books, results] = openPacked<PackedAudits>(
    key,
    bytes,
    () => `audits of the ${venue} market ${market} on ${date}`,
  )
  const audits = timesUs.map((atUs, i): Audit => ({ atUs, book: books[i]!, result: AUDIT_RESULTS[results[i]!]! }))
  return { venue, market, date, audits }
}

const packedAudits = (audits: Audit[]): PackedAudits => [
  audits.map(({ atUs }) => atUs),
  audits.map(({ book }) => book),
  audits.map(({ result }) => AUDIT_RESULTS.indexOf(result)),
]

function* inParts<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += AT_ONCE) yield all.slice(from, from + AT_ONCE)
}
