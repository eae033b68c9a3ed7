// The catalogue of a cluster. Queries about stored days are answered from rows that this thread has cached, all others
// by the database.

import type {
  Catalogue,
  DateRange,
  MarketChange,
  MarketPage,
  MarketRevision,
  SlugAnswer,
  SlugAnswers,
  StoredDay,
} from '../catalogue.ts'
import { checksumOf } from '../format/block.ts'
import type { PartitionHead } from '../format/partition-head.ts'
import type { MarketEntry } from '../market-entry.ts'
import type { PartitionKey } from '../partition-key.ts'
import { openHead } from '../sealed/stored-parts.ts'
import type { Venue } from '../venue.ts'
import { ClusterFinding } from './cluster-finding.ts'
import { type KnownDay, placedPieces, type RowCache } from './row-cache.ts'
import { type CommitParts, writeCommit } from './write-commit.ts'

export class ClusterCatalogue extends ClusterFinding implements Catalogue {
  readonly #rows: RowCache
  readonly #parts: CommitParts
  #secret: Uint8Array | undefined

  constructor(rows: RowCache, parts: CommitParts) {
    super(parts.database)
    this.#rows = rows
    this.#parts = parts
  }

  async market(venue: Venue, market: string): Promise<MarketEntry | undefined> {
    const row = await this.#rows.market(venue, market)
    if (row === undefined || row.dates.length === 0) return undefined
    const { revision, recordCount, dates } = row
    return { firstDate: dates[0]!, lastDate: dates.at(-1)!, dateCount: dates.length, recordCount, revision }
  }

  async revision(venue: Venue, market: string): Promise<MarketRevision> {
    const { revision, base } = (await this.#rows.market(venue, market)) ?? { revision: 0, base: 0 }
    return { revision, base }
  }

  markets(venue: Venue, page: { prefix: string; offset: number; limit: number }): Promise<MarketPage> {
    return this.database.markets(venue, page)
  }

  async head(key: PartitionKey): Promise<PartitionHead | undefined> {
    const day = await this.#rows.day(key)
    return day === undefined ? undefined : headOf(key, day)
  }

  async heads(venue: Venue, market: string, range?: DateRange): Promise<StoredDay[]> {
    const isIn = (date: string) => range === undefined || (date >= range.from && date <= range.to)
    const days = await this.#rows.days(venue, market, (dates) => dates.filter(isIn))
    return days.map((day) => storedDay({ venue, market }, day))
  }

  async neighbour(
    { venue, market, date }: PartitionKey,
    direction: 'before' | 'after',
  ): Promise<StoredDay | undefined> {
    const [day] = await this.#rows.days(venue, market, (dates) => {
      const next = direction === 'before' ? dates.findLast((each) => each < date) : dates.find((each) => each > date)
      return next === undefined ? [] : [next]
    })
    return day === undefined ? undefined : storedDay({ venue, market }, day)
  }

  async stamp(venue: Venue, market: string, { from, to }: DateRange): Promise<string> {
    const days = await this.#rows.days(venue, market, (dates) => {
      const since = dates.filter((date) => date >= from)
      const after = since.findIndex((date) => date > to)
      return after === -1 ? since : since.slice(0, after + 1)
    })
    return days.map(({ date, head }) => `${date}:${checksumOf(head)} `).join('')
  }

  marketsStamp(): Promise<string> {
    return this.database.marketsStamp()
  }

  slug(slug: string): Promise<SlugAnswer | undefined> {
    return this.database.slug(slug)
  }

  async cursorSecret(): Promise<Uint8Array> {
    this.#secret ??= await this.database.cursorSecret()
    return this.#secret.slice()
  }

  lastRecordMs(venue: Venue): Promise<number | null> {
    return this.database.lastRecordMs(venue)
  }

  partitions(venue: Venue): AsyncIterable<PartitionKey> {
    return this.database.partitions(venue)
  }

  async bytesOf(venue: Venue, market: string): Promise<number> {
    const days = await this.#rows.days(venue, market, (dates) => dates)
    let bytes = 0
    for (const day of days) {
      bytes += day.head.length
      for (const { length } of placedPieces({ venue, market, date: day.date }, day).values()) bytes += length
    }
    return bytes
  }

  putSlugs(slugs: SlugAnswers): Promise<void> {
    return this.database.putSlugs(slugs)
  }

  async commit(changes: MarketChange[]): Promise<MarketChange[]> {
    try {
      return await writeCommit(this.#parts, changes)
    } finally {
      for (const { venue, market } of changes) this.#rows.forget(venue, market)
    }
  }
}

const storedDay = ({ venue, market }: { venue: Venue; market: string }, day: KnownDay): StoredDay => ({
  date: day.date,
  head: headOf({ venue, market, date: day.date }, day),
})

/** Decodes the head anew each time, because callers may change it. */
const headOf = (key: PartitionKey, { head }: KnownDay): PartitionHead => openHead(key, new Uint8Array(head))
