// The catalogue on LMDB: each answer is a get or a short range over small values.

import { type Catalogue, isSlugTooLong, type MarketEntry, type MarketPage, type SlugAnswer } from '../catalogue.ts'
import { damageOf } from '../damage.ts'
import { checksumOf } from '../format/block.ts'
import type { PartitionHead } from '../format/partition-head.ts'
import type { Venue } from '../venue.ts'
import type { Databases } from './databases.ts'
import { KEY_END } from './databases.ts'
import { assertMarket, getMeta, openHead, openMarket, openSlug, type SlugKind } from './stored-values.ts'

const COUNTS_MAX = 1_000
const SLUG_KINDS: SlugKind[] = ['event', 'market']

export class LmdbCatalogue implements Catalogue {
  readonly #databases: Databases
  #counts = new Map<string, number>()
  #countsRevision = -1

  constructor(databases: Databases) {
    this.#databases = databases
  }

  market(venue: Venue, market: string): MarketEntry | undefined {
    const key = [venue, market]
    const bytes = this.#databases.markets.get(key)
    return bytes === undefined ? undefined : openMarket(key, bytes)
  }

  markets(venue: Venue, { prefix, offset, limit }: { prefix: string; offset: number; limit: number }): MarketPage {
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

  heads(venue: Venue, market: string, range?: { from: string; to: string }): { date: string; head: PartitionHead }[] {
    const start = [venue, market, range?.from ?? '']
    const end = [venue, market, (range?.to ?? '') + KEY_END]
    const heads: { date: string; head: PartitionHead }[] = []
    for (const { key, value } of this.#databases.heads.getRange({ start, end })) {
      const date = String(key[2])
      heads.push({ date, head: openHead({ venue, market, date }, value) })
    }
    return heads
  }

  stamp(venue: Venue, market: string, { from, to }: { from: string; to: string }): string {
    let stamp = ''
    for (const { key, value } of this.#databases.heads.getRange({
      start: [venue, market, from],
      end: [venue, market, KEY_END],
    })) {
      const date = String(key[2])
      stamp += `${date}:${checksumOf(value)} `
      if (date > to) break
    }
    return stamp
  }

  marketsStamp(): string {
    return String(this.#marketCount())
  }

  slug(slug: string): SlugAnswer | undefined {
    if (isSlugTooLong(slug)) return undefined
    for (const kind of SLUG_KINDS) {
      const bytes = this.#databases.slugs.get([kind, slug])
      if (bytes !== undefined) return openSlug([kind, slug], bytes)
    }
    return undefined
  }

  cursorSecret(): Uint8Array {
    const secret = getMeta<Uint8Array>(this.#databases, 'cursor_secret')
    if (secret === undefined) throw damageOf('secret of cursors', 'it is missing')
    return secret
  }

  lastRecordMs(venue: Venue): number | null {
    return getMeta<number>(this.#databases, `last_record_${venue}`) ?? null
  }

  /** Of all venues. Markets are added and never taken away. */
  #marketCount(): number {
    return getMeta<number>(this.#databases, 'market_count') ?? 0
  }

  // Counting walks the keys, so a count is kept until a market is added.
  #count(venue: Venue, prefix: string, range: { start: string[]; end: string[] }): number {
    const revision = this.#marketCount()
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
