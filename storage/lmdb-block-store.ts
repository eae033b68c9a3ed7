// Blocks, states and heads on LMDB. A change is one write transaction: readers keep the snapshot they began with.

import { Packr } from 'msgpackr'
import type { BlockStore, PartitionChange } from './block-store.ts'
import type { MarketEntry, SlugAnswer } from './catalogue.ts'
import { writeFailure } from './disk-space.ts'
import { DataError } from './failures.ts'
import { type Databases, KEY_END } from './lmdb-databases.ts'
import type { PartitionHead } from './partition-head.ts'
import { decodeHead, encodeHead } from './partition-head-codec.ts'
import type { PartitionKey } from './partition-key.ts'
import type { Venue } from './venue.ts'

const packr = new Packr({ useRecords: false })

export class LmdbBlockStore implements BlockStore {
  readonly #databases: Databases
  readonly #folder: string

  /** `folder` is the data folder, for what is said of failures. */
  constructor(databases: Databases, folder: string) {
    this.#databases = databases
    this.#folder = folder
  }

  head({ venue, market, date }: PartitionKey): PartitionHead | undefined {
    const bytes = this.#databases.heads.get([venue, market, date])
    return bytes === undefined ? undefined : decodeHead(bytes)
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
      for (const answer of events) slugs.putSync(['event', answer.event!.slug], packr.pack(answer))
      for (const answer of markets) slugs.putSync(['market', answer.markets[0]!.slug], packr.pack(answer))
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

  #required(database: 'blocks' | 'states', { venue, market, date }: PartitionKey, index: number): Uint8Array {
    const bytes = this.#databases[database].get([venue, market, date, index])
    if (bytes === undefined) {
      throw new DataError('block_corrupt', `Block ${index} of ${venue} ${market} ${date} is missing from the store`)
    }
    return bytes
  }

  #apply({ key, head, fromBlock, blocks, states }: PartitionChange): void {
    const { venue, market, date } = key
    const databases = this.#databases
    const before = databases.heads.get([venue, market, date])
    const countBefore = before === undefined ? 0 : decodeHead(before).blocks.length
    blocks.forEach((bytes, i) => {
      databases.blocks.putSync([venue, market, date, fromBlock + i], bytes)
    })
    states.forEach((bytes, i) => {
      databases.states.putSync([venue, market, date, i + 1], bytes)
    })
    for (let index = head.blocks.length; index < countBefore; index++) {
      databases.blocks.removeSync([venue, market, date, index])
      databases.states.removeSync([venue, market, date, index])
    }
    databases.heads.putSync([venue, market, date], encodeHead(head))
    if (before === undefined) this.#addDate(key)
    this.#noteLastRecord(venue, head.lastMs)
  }

  #addDate({ venue, market, date }: PartitionKey): void {
    const { markets, meta } = this.#databases
    const bytes = markets.get([venue, market])
    const entry = bytes === undefined ? undefined : (packr.unpack(bytes) as MarketEntry)
    const next: MarketEntry = {
      firstDate: entry === undefined || date < entry.firstDate ? date : entry.firstDate,
      lastDate: entry === undefined || date > entry.lastDate ? date : entry.lastDate,
      dateCount: (entry?.dateCount ?? 0) + 1,
    }
    markets.putSync([venue, market], packr.pack(next))
    if (entry !== undefined) return
    const count = meta.get('market_count')
    meta.putSync('market_count', packr.pack(count === undefined ? 1 : (packr.unpack(count) as number) + 1))
  }

  #noteLastRecord(venue: Venue, timeMs: number): void {
    const { meta } = this.#databases
    const bytes = meta.get(`last_record_${venue}`)
    if (bytes !== undefined && (packr.unpack(bytes) as number) >= timeMs) return
    meta.putSync(`last_record_${venue}`, packr.pack(timeMs))
  }
}
