// The catalogue on LMDB: each answer is a get or a short range over small values.

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
import { checksumOf } from '../format/block.ts'
import type { PartitionHead } from '../format/partition-head.ts'
import type { PartitionKey } from '../partition-key.ts'
import { mergedAnswer } from '../slug-answers.ts'
import type { Venue } from '../venue.ts'
import { commitChanges, inTransaction, storedMarket } from './commit.ts'
import { type Databases, KEY_END } from './values/databases.ts'
import {
  assertMarket,
  getMeta,
  headKey,
  openHead,
  openMarket,
  openSlug,
  type SlugKind,
  sealSlug,
} from './values/stored-values.ts'

const COUNTS_MAX = 1_000
const SLUG_KINDS: SlugKind[] = ['event', 'market']

export class LmdbCatalogue implements Catalogue {
  readonly #databases: Databases
  readonly #folder: string
  #counts = new Map<string, number>()
  #countsRevision = -1

  /** `folder` is the data folder, for the messages of failures. */
  constructor(databases: Databases, folder: string) {
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
      // A name that a damaged key gives is refused here.
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
    // All at once: between two of them this thread may come back to its event loop, which ends the transaction.
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

  /** Of all venues: grows when a market is added or removed. */
  #marketsRevision(): number {
    return getMeta<number>(this.#databases, 'markets_revision') ?? 0
  }

  // Counting walks the keys, so a count is kept until a market is added or removed.
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
