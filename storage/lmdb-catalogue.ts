// The catalogue on LMDB: each answer is a get or a short range over small values.

import { Packr } from 'msgpackr'
import { checksumOf } from './block.ts'
import { type Catalogue, isSlugTooLong, type MarketEntry, type MarketPage, type SlugAnswer } from './catalogue.ts'
import type { Databases } from './lmdb-databases.ts'
import { KEY_END } from './lmdb-databases.ts'
import type { PartitionHead } from './partition-head.ts'
import { decodeHead } from './partition-head-codec.ts'
import type { Venue } from './venue.ts'

const packr = new Packr({ useRecords: false })
const COUNTS_MAX = 1_000

export class LmdbCatalogue implements Catalogue {
  readonly #databases: Databases
  #counts = new Map<string, number>()
  #countsRevision = -1

  constructor(databases: Databases) {
    this.#databases = databases
  }

  market(venue: Venue, market: string): MarketEntry | undefined {
    const bytes = this.#databases.markets.get([venue, market])
    return bytes === undefined ? undefined : (packr.unpack(bytes) as MarketEntry)
  }

  markets(venue: Venue, { prefix, offset, limit }: { prefix: string; offset: number; limit: number }): MarketPage {
    const range = { start: [venue, prefix], end: [venue, prefix + KEY_END] }
    const markets: string[] = []
    for (const key of this.#databases.markets.getKeys({ ...range, offset, limit })) markets.push(String(key[1]))
    return { markets, totalCount: this.#count(venue, prefix, range) }
  }

  heads(venue: Venue, market: string, range?: { from: string; to: string }): { date: string; head: PartitionHead }[] {
    const start = [venue, market, range?.from ?? '']
    const end = [venue, market, (range?.to ?? '') + KEY_END]
    const heads: { date: string; head: PartitionHead }[] = []
    for (const { key, value } of this.#databases.heads.getRange({ start, end })) {
      heads.push({ date: String(key[2]), head: decodeHead(value) })
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
    const { slugs } = this.#databases
    const bytes = slugs.get(['event', slug]) ?? slugs.get(['market', slug])
    return bytes === undefined ? undefined : (packr.unpack(bytes) as SlugAnswer)
  }

  cursorSecret(): Uint8Array {
    return this.#databases.meta.get('cursor_secret')!
  }

  lastRecordMs(venue: Venue): number | null {
    const bytes = this.#databases.meta.get(`last_record_${venue}`)
    return bytes === undefined ? null : (packr.unpack(bytes) as number)
  }

  /** Of all venues. Markets are added and never taken away. */
  #marketCount(): number {
    const bytes = this.#databases.meta.get('market_count')
    return bytes === undefined ? 0 : (packr.unpack(bytes) as number)
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
