// The catalogue in memory. It must answer like the one on LMDB.

import { randomBytes } from 'node:crypto'
import { NO_BOOKS } from '../../../storage/block-store.ts'
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
} from '../../../storage/catalogue.ts'
import type { PartitionHead } from '../../../storage/format/partition-head.ts'
import { encodeHead } from '../../../storage/format/partition-head-codec.ts'
import type { PartitionKey } from '../../../storage/partition-key.ts'
import { mergedAnswer } from '../../../storage/slug-answers.ts'
import type { Venue } from '../../../storage/venue.ts'
import { MemoryFinding } from './memory-finding.ts'
import { datesOf, entryOf, headOf, idOf, type MemoryState, nameOf } from './memory-state.ts'

export class MemoryCatalogue extends MemoryFinding implements Catalogue {
  readonly #state: MemoryState
  readonly #secret = new Uint8Array(randomBytes(32))

  constructor(state: MemoryState) {
    super(state)
    this.#state = state
  }

  async market(venue: Venue, market: string): Promise<MarketEntry | undefined> {
    return entryOf(this.#state.markets.get(nameOf(venue, market)))
  }

  async revision(venue: Venue, market: string): Promise<MarketRevision> {
    const { revision, base } = this.#state.markets.get(nameOf(venue, market)) ?? { revision: 0, base: 0 }
    return { revision, base }
  }

  async markets(venue: Venue, page: { prefix: string; offset: number; limit: number }): Promise<MarketPage> {
    const markets = this.#marketsOf(venue).filter((market) => market.startsWith(page.prefix))
    return { markets: markets.slice(page.offset, page.offset + page.limit), totalCount: markets.length }
  }

  async head(key: PartitionKey): Promise<PartitionHead | undefined> {
    return headOf(this.#state.markets.get(nameOf(key.venue, key.market)), key.date)
  }

  async heads(venue: Venue, market: string, range?: DateRange): Promise<StoredDay[]> {
    const stored = this.#state.markets.get(nameOf(venue, market))
    const isIn = (date: string) => range === undefined || (date >= range.from && date <= range.to)
    return datesOf(stored)
      .filter(isIn)
      .map((date) => ({ date, head: headOf(stored, date)! }))
  }

  async neighbour(key: PartitionKey, direction: 'before' | 'after'): Promise<StoredDay | undefined> {
    const stored = this.#state.markets.get(nameOf(key.venue, key.market))
    const dates = datesOf(stored)
    const date =
      direction === 'before' ? dates.findLast((each) => each < key.date) : dates.find((each) => each > key.date)
    return date === undefined ? undefined : { date, head: headOf(stored, date)! }
  }

  async stamp(venue: Venue, market: string, { from, to }: DateRange): Promise<string> {
    const stored = this.#state.markets.get(nameOf(venue, market))
    const dates = datesOf(stored).filter((date) => date >= from)
    const after = dates.find((date) => date > to)
    const counted = dates.filter((date) => date <= to || date === after)
    return counted.map((date) => `${date}:${headOf(stored, date)!.revision} `).join('')
  }

  async marketsStamp(): Promise<string> {
    return String(this.#state.marketsRevision)
  }

  async slug(slug: string): Promise<SlugAnswer | undefined> {
    if (isSlugTooLong(slug)) return undefined
    const { slugs } = this.#state
    return structuredClone(slugs.get(`event ${slug}`) ?? slugs.get(`market ${slug}`))
  }

  async cursorSecret(): Promise<Uint8Array> {
    return this.#secret.slice()
  }

  async lastRecordMs(venue: Venue): Promise<number | null> {
    return this.#state.lastRecordMs.get(venue) ?? null
  }

  async *partitions(venue: Venue): AsyncGenerator<PartitionKey> {
    for (const market of this.#marketsOf(venue)) {
      for (const date of datesOf(this.#state.markets.get(nameOf(venue, market)))) yield { venue, market, date }
    }
  }

  async putSlugs({ events, markets }: SlugAnswers): Promise<void> {
    const put = (key: string, answer: SlugAnswer) =>
      this.#state.slugs.set(key, structuredClone(mergedAnswer(this.#state.slugs.get(key), answer)))
    for (const answer of events) put(`event ${answer.event!.slug}`, answer)
    for (const answer of markets) put(`market ${answer.markets[0]!.slug}`, answer)
  }

  async commit(changes: MarketChange[]): Promise<MarketChange[]> {
    const refused = changes.filter(({ venue, market, revision }) => {
      return (this.#state.markets.get(nameOf(venue, market))?.revision ?? 0) !== revision
    })
    for (const change of changes) if (!refused.includes(change)) this.#apply(change)
    return refused
  }

  #apply({ venue, market, partitions }: MarketChange): void {
    const name = nameOf(venue, market)
    const stored = this.#state.markets.get(name) ?? { revision: 0, base: 0, days: new Map() }
    const before = stored.days.size
    for (const { key, head, books, put, removed, before: replaced } of partitions) {
      const day = stored.days.get(key.date) ?? { head: new Uint8Array(), books: NO_BOOKS, parts: new Map() }
      for (const part of removed) day.parts.delete(idOf(part))
      for (const { bytes, ...part } of put) day.parts.set(idOf(part), bytes.slice())
      if (head === null) {
        stored.days.delete(key.date)
        this.#state.audits.get(name)?.delete(key.date)
        if (replaced !== null) stored.base = Math.max(stored.base, replaced.nextId, replaced.revision)
        continue
      }
      const last = this.#state.lastRecordMs.get(venue) ?? Number.NEGATIVE_INFINITY
      this.#state.lastRecordMs.set(venue, Math.max(last, head.lastMs))
      stored.days.set(key.date, { head: encodeHead(head), books: books ?? day.books, parts: day.parts })
    }
    stored.revision++
    if ((before === 0) !== (stored.days.size === 0)) this.#state.marketsRevision++
    this.#state.markets.set(name, stored)
    this.noteKnown(name)
  }

  #marketsOf(venue: Venue): string[] {
    return [...this.#state.markets]
      .filter(([name, { days }]) => name.startsWith(`${venue} `) && days.size > 0)
      .map(([name]) => name.slice(venue.length + 1))
      .sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
  }
}
