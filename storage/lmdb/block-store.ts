// Blocks, states and heads on LMDB. A change is one write transaction: readers keep the snapshot they began with.

import type { BlockStore, PartitionChange } from '../block-store.ts'
import type { MarketEntry, SlugAnswer } from '../catalogue.ts'
import { damageIn } from '../damage.ts'
import { writeFailure } from '../data-folder/disk-space.ts'
import { DataError } from '../failures.ts'
import type { PartitionHead } from '../format/partition-head.ts'
import type { PartitionKey } from '../partition-key.ts'
import { mergedAnswer } from '../slug-answers.ts'
import type { Venue } from '../venue.ts'
import { type Databases, KEY_END } from './databases.ts'
import { seal, unseal } from './seal.ts'
import {
  assertMarket,
  getMeta,
  headKey,
  openHead,
  openMarket,
  openSlug,
  putMeta,
  sealHead,
  sealMarket,
  sealSlug,
} from './stored-values.ts'

export class LmdbBlockStore implements BlockStore {
  readonly #databases: Databases
  readonly #folder: string

  /** `folder` is the data folder, for what is said of failures. */
  constructor(databases: Databases, folder: string) {
    this.#databases = databases
    this.#folder = folder
  }

  hasMarket(venue: Venue, market: string): boolean {
    const bytes = this.#databases.markets.get([venue, market])
    if (bytes !== undefined) assertMarket([venue, market], bytes)
    return bytes !== undefined
  }

  head(key: PartitionKey): PartitionHead | undefined {
    const bytes = this.#databases.heads.get(headKey(key))
    return bytes === undefined ? undefined : openHead(key, bytes)
  }

  block(key: PartitionKey, index: number): Uint8Array {
    return this.#required('blocks', key, index)
  }

  state(key: PartitionKey, index: number): Uint8Array {
    return this.#required('states', key, index)
  }

  neighbour({ venue, market, date }: PartitionKey, direction: 'before' | 'after'): string | undefined {
    const range =
      direction === 'before'
        ? { start: [venue, market, date], end: [venue, market, ''], reverse: true }
        : { start: [venue, market, date], end: [venue, market, KEY_END] }
    for (const key of this.#databases.heads.getKeys({ ...range, limit: 2 })) {
      if (key[2] !== date) return String(key[2])
    }
    return undefined
  }

  transaction(work: (apply: (change: PartitionChange) => void) => void): void {
    this.#write(() => work((change) => this.#apply(change)))
  }

  putSlugs({ events, markets }: { events: SlugAnswer[]; markets: SlugAnswer[] }): void {
    const { slugs } = this.#databases
    this.#write(() => {
      const put = (key: string[], answer: SlugAnswer) => {
        const bytes = slugs.get(key)
        const stored = bytes === undefined ? undefined : openSlug(key, bytes)
        slugs.putSync(key, sealSlug(key, mergedAnswer(stored, answer)))
      }
      for (const answer of events) put(['event', answer.event!.slug], answer)
      for (const answer of markets) put(['market', answer.markets[0]!.slug], answer)
    })
  }

  bytesOf(venue: Venue, market: string): number {
    const { heads, blocks, states } = this.#databases
    const range = { start: [venue, market, ''], end: [venue, market, KEY_END] }
    let bytes = 0
    for (const database of [heads, blocks, states]) {
      for (const { value } of database.getRange(range)) bytes += value.length
    }
    return bytes
  }

  *partitions(venue: Venue): Iterable<PartitionKey> {
    for (const key of this.#databases.heads.getKeys({ start: [venue, ''], end: [venue, KEY_END] })) {
      yield { venue, market: String(key[1]), date: String(key[2]) }
    }
  }

  #write(work: () => void): void {
    const { root } = this.#databases
    // The pages that a dead reader read could never be used again.
    root.readerCheck()
    try {
      root.transactionSync(work)
    } catch (error) {
      throw writeFailure(error, this.#folder)
    }
  }

  #required(database: 'blocks' | 'states', key: PartitionKey, index: number): Uint8Array {
    const entry = [...headKey(key), index]
    const bytes = this.#databases[database].get(entry)
    if (bytes !== undefined) return unseal(database, entry, bytes)
    const what = database === 'blocks' ? `block ${index}` : `state ${index}`
    throw damageIn(key, what, new DataError('block_corrupt', 'it is missing from the store'))
  }

  #apply({ key, before, head, fromBlock, blocks, states }: PartitionChange): void {
    const { venue, market, date } = key
    const databases = this.#databases
    const countBefore = before?.blocks.length ?? 0
    blocks.forEach((bytes, i) => {
      const entry = [venue, market, date, fromBlock + i]
      databases.blocks.putSync(entry, seal('blocks', entry, bytes))
    })
    states.forEach((bytes, i) => {
      const entry = [venue, market, date, i + 1]
      databases.states.putSync(entry, seal('states', entry, bytes))
    })
    for (let index = head.blocks.length; index < countBefore; index++) {
      databases.blocks.removeSync([venue, market, date, index])
      databases.states.removeSync([venue, market, date, index])
    }
    databases.heads.putSync(headKey(key), sealHead(key, head))
    if (before === null) this.#addDate(key)
    this.#noteLastRecord(venue, head.lastMs)
  }

  #addDate({ venue, market, date }: PartitionKey): void {
    const { markets } = this.#databases
    const key = [venue, market]
    const bytes = markets.get(key)
    const entry = bytes === undefined ? undefined : openMarket(key, bytes)
    const next: MarketEntry = {
      firstDate: entry === undefined || date < entry.firstDate ? date : entry.firstDate,
      lastDate: entry === undefined || date > entry.lastDate ? date : entry.lastDate,
      dateCount: (entry?.dateCount ?? 0) + 1,
    }
    markets.putSync(key, sealMarket(key, next))
    if (entry !== undefined) return
    putMeta(this.#databases, 'market_count', (getMeta<number>(this.#databases, 'market_count') ?? 0) + 1)
  }

  #noteLastRecord(venue: Venue, timeMs: number): void {
    const before = getMeta<number>(this.#databases, `last_record_${venue}`)
    if (before === undefined || before < timeMs) putMeta(this.#databases, `last_record_${venue}`, timeMs)
  }
}
