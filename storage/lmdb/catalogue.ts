// The catalogue on LMDB: each method reads a single value or a short range of small values.

import {
  type Catalogue,
  type DateRange,
  isSlugTooLong,
  type MarketChange,
  type MarketEntry,
  type MarketPage,
  type MarketRevision,
  type SlugAnswer,
  type SlugAnswers,
  type StoredDay,
} from '../catalogue.ts'
import { damageOf } from '../damage.ts'
import type { MarketAudits } from '../finding/audits.ts'
import type {
  BusiestPage,
  BusiestQuery,
  FoundMarket,
  KnownEvent,
  KnownMarket,
  ListedEvent,
  SearchQuery,
  StoredSums,
} from '../finding/finding.ts'
import type { Metadata } from '../finding/metadata.ts'
import { checksumOf } from '../format/block.ts'
import type { PartitionHead } from '../format/partition-head.ts'
import type { PartitionKey } from '../partition-key.ts'
import { headKey, openHead } from '../sealed/stored-parts.ts'
import { mergedAnswer } from '../slug-answers.ts'
import type { Venue } from '../venue.ts'
import { commitChanges, inTransaction, storedMarket } from './commit.ts'
import { putMetadata, removeMetadata } from './finding/put-metadata.ts'
import { searchIndex } from './finding/search-index.ts'
import { auditsOf, putAudits } from './finding/stored-audits.ts'
import { readBusiest, readEnds, readSums } from './finding/stored-days.ts'
import { cardOf, cardsOf, descriptionOf, eventsOf, membersOf, tokensOf } from './finding/stored-metadata.ts'
import { LmdbProvenance } from './provenance.ts'
import { type Databases, KEY_END } from './values/databases.ts'
import { assertMarket, getMeta, openMarket, openSlug, type SlugKind, sealSlug } from './values/stored-values.ts'

const COUNTS_MAX = 1_000
const METADATA_AT_ONCE = 500
const SLUG_KINDS: SlugKind[] = ['event', 'market']

export class LmdbCatalogue extends LmdbProvenance implements Catalogue {
  readonly #databases: Databases
  readonly #folder: string
  #counts = new Map<string, number>()
  #countsRevision = -1

  /** `folder` is the data folder, for error messages. */
  constructor(databases: Databases, folder: string) {
    super(databases, folder)
    this.#databases = databases
    this.#folder = folder
  }

  async market(venue: Venue, market: string): Promise<MarketEntry | undefined> {
    const key = [venue, market]
    const bytes = this.#databases.markets.get(key)
    if (bytes === undefined) return undefined
    const { base: _, ...entry } = openMarket(key, bytes)
    return entry
  }

  async revision(venue: Venue, market: string): Promise<MarketRevision> {
    const { revision, base } = storedMarket(this.#databases, { venue, market }) ?? { revision: 0, base: 0 }
    return { revision, base }
  }

  async markets(
    venue: Venue,
    { prefix, offset, limit }: { prefix: string; offset: number; limit: number },
  ): Promise<MarketPage> {
    const range = { start: [venue, prefix], end: [venue, prefix + KEY_END] }
    const markets: string[] = []
    for (const { key, value } of this.#databases.markets.getRange({ ...range, offset, limit })) {
      const market = String(key[1])
      // A damaged key may give a wrong name; this check rejects it.
      assertMarket([venue, market], value)
      markets.push(market)
    }
    return { markets, totalCount: this.#count(venue, prefix, range) }
  }

  async head(key: PartitionKey): Promise<PartitionHead | undefined> {
    const bytes = this.#databases.heads.get(headKey(key))
    return bytes === undefined ? undefined : openHead(key, bytes)
  }

  async heads(venue: Venue, market: string, range?: DateRange): Promise<StoredDay[]> {
    const start = [venue, market, range?.from ?? '']
    const end = [venue, market, (range?.to ?? '') + KEY_END]
    const heads: StoredDay[] = []
    for (const { key, value } of this.#databases.heads.getRange({ start, end })) {
      const date = String(key[2])
      heads.push({ date, head: openHead({ venue, market, date }, value) })
    }
    return heads
  }

  async neighbour(key: PartitionKey, direction: 'before' | 'after'): Promise<StoredDay | undefined> {
    const { venue, market } = key
    const end = [venue, market, direction === 'before' ? '' : KEY_END]
    const range = { start: headKey(key), end, reverse: direction === 'before', limit: 2 }
    for (const { key: found, value } of this.#databases.heads.getRange(range)) {
      const date = String(found[2])
      if (date !== key.date) return { date, head: openHead({ venue, market, date }, value) }
    }
    return undefined
  }

  async stamp(venue: Venue, market: string, { from, to }: DateRange): Promise<string> {
    let stamp = ''
    const range = { start: [venue, market, from], end: [venue, market, KEY_END] }
    for (const { key, value } of this.#databases.heads.getRange(range)) {
      const date = String(key[2])
      stamp += `${date}:${checksumOf(value)} `
      if (date > to) break
    }
    return stamp
  }

  async marketsStamp(): Promise<string> {
    return String(this.#marketsRevision())
  }

  async slug(slug: string): Promise<SlugAnswer | undefined> {
    if (isSlugTooLong(slug)) return undefined
    for (const kind of SLUG_KINDS) {
      const bytes = this.#databases.slugs.get([kind, slug])
      if (bytes !== undefined) return openSlug([kind, slug], bytes)
    }
    return undefined
  }

  async cursorSecret(): Promise<Uint8Array> {
    const secret = getMeta<Uint8Array>(this.#databases, 'cursor_secret')
    if (secret === undefined) throw damageOf('secret of cursors', 'it is missing')
    return secret
  }

  async lastRecordMs(venue: Venue): Promise<number | null> {
    return getMeta<number>(this.#databases, `last_record_${venue}`) ?? null
  }

  async *partitions(venue: Venue): AsyncGenerator<PartitionKey> {
    const keys = this.#databases.heads.getKeys({ start: [venue, ''], end: [venue, KEY_END] })
    // Reads all keys at once: between two of them this thread could return to its event loop, which ends the
    // transaction.
    const found = [...keys].map((key) => ({ venue, market: String(key[1]), date: String(key[2]) }))
    yield* found
  }

  async bytesOf(venue: Venue, market: string): Promise<number> {
    const { heads, blocks, parts } = this.#databases
    const range = { start: [venue, market, ''], end: [venue, market, KEY_END] }
    let bytes = 0
    for (const database of [heads, blocks, parts]) {
      for (const { value } of database.getRange(range)) bytes += value.length
    }
    return bytes
  }

  async putSlugs({ events, markets }: SlugAnswers): Promise<void> {
    const { root, slugs } = this.#databases
    const answers: [string[], SlugAnswer][] = [
      ...events.map((answer): [string[], SlugAnswer] => [['event', answer.event!.slug], answer]),
      ...markets.map((answer): [string[], SlugAnswer] => [['market', answer.markets[0]!.slug], answer]),
    ]
    inTransaction(root, this.#folder, () => {
      for (const [key, answer] of answers) {
        const bytes = slugs.get(key)
        const stored = bytes === undefined ? undefined : openSlug(key, bytes)
        slugs.putSync(key, sealSlug(key, mergedAnswer(stored, answer)))
      }
    })
  }

  async commit(changes: MarketChange[]): Promise<MarketChange[]> {
    return commitChanges(this.#databases, this.#folder, changes)
  }

  async putMetadata({ markets, events }: Metadata, loadedMs: number): Promise<void> {
    const { root } = this.#databases
    // Writes in portions, so that other writers never wait for long.
    for (const some of inParts(events)) {
      inTransaction(root, this.#folder, () => putMetadata(this.#databases, { markets: [], events: some }, loadedMs))
    }
    for (const some of inParts(markets)) {
      inTransaction(root, this.#folder, () => putMetadata(this.#databases, { markets: some, events: [] }, loadedMs))
    }
  }

  async putAudits(audits: MarketAudits[]): Promise<void> {
    for (const some of inParts(audits)) {
      inTransaction(this.#databases.root, this.#folder, () => {
        for (const each of some) putAudits(this.#databases, each)
      })
    }
  }

  async audits(venue: Venue, market: string): Promise<MarketAudits[]> {
    return auditsOf(this.#databases, venue, market)
  }

  async removeMetadata(venue: Venue, market: string): Promise<boolean> {
    let wasKnown = false
    inTransaction(this.#databases.root, this.#folder, () => {
      const isStored = this.#databases.markets.get([venue, market]) !== undefined
      wasKnown = removeMetadata(this.#databases, venue, market, isStored)
    })
    return wasKnown
  }

  async knownMarket(venue: Venue, market: string): Promise<KnownMarket | undefined> {
    const stored = descriptionOf(this.#databases, 'market', venue, market)
    if (stored === undefined) return undefined
    const id = stored.card.event
    if (id === null) return { ...stored, event: null }
    const said = descriptionOf(this.#databases, 'event', venue, id) ?? null
    return { ...stored, event: { id, title: said?.card.title ?? null, said } }
  }

  async tokens(): Promise<Map<string, string>> {
    return tokensOf(this.#databases)
  }

  async foundMarkets(venue: Venue, markets: string[]): Promise<FoundMarket[]> {
    return Promise.all(markets.map((market) => this.#found({ venue, market })))
  }

  async event(venue: Venue, event: string): Promise<KnownEvent | undefined> {
    if (isSlugTooLong(event)) return undefined
    const markets = membersOf(this.#databases, venue, event)
    if (markets.length === 0) return undefined
    return { id: event, title: cardOf(this.#databases, 'event', venue, event)?.title ?? null, markets }
  }

  events(venue: Venue): Promise<ListedEvent[]> {
    return eventsOf(this.#databases, venue)
  }

  async search(query: SearchQuery): Promise<FoundMarket[]> {
    return Promise.all(searchIndex(this.#databases, query).map((hit) => this.#found(hit)))
  }

  async calendar(venue: Venue, range?: DateRange): Promise<StoredSums[]> {
    return readSums(this.#databases, venue, range)
  }

  async calendarEnds(venue: Venue): Promise<DateRange | undefined> {
    return readEnds(this.#databases, venue)
  }

  async busiest(venue: Venue, date: string, query: BusiestQuery): Promise<BusiestPage> {
    return readBusiest(this.#databases, venue, date, query)
  }

  async #found({ venue, market }: { venue: Venue; market: string }): Promise<FoundMarket> {
    const { card, event } = cardsOf(this.#databases, venue, market)
    const id = card?.event ?? null
    const named = id === null ? null : { id, title: event?.title ?? null }
    return { venue, market, card, event: named, entry: await this.market(venue, market) }
  }

  /** The revision of all markets: grows when a market is added or removed. */
  #marketsRevision(): number {
    return getMeta<number>(this.#databases, 'markets_revision') ?? 0
  }

  // Counting walks the keys, so a count is cached until a market is added or removed.
  #count(venue: Venue, prefix: string, range: { start: string[]; end: string[] }): number {
    const revision = this.#marketsRevision()
    if (revision !== this.#countsRevision || this.#counts.size > COUNTS_MAX) {
      this.#counts = new Map()
      this.#countsRevision = revision
    }
    const name = `${venue} ${prefix}`
    const known = this.#counts.get(name)
    if (known !== undefined) return known
    const count = this.#databases.markets.getKeysCount(range)
    this.#counts.set(name, count)
    return count
  }
}

function* inParts<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += METADATA_AT_ONCE) yield all.slice(from, from + METADATA_AT_ONCE)
}
