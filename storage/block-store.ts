// Where blocks lie and how partitions change. One interface, since a second implementation (an S3-compatible object
// store behind a local cache) is planned: nothing above storage/ knows which one runs.

import type { SlugAnswer } from './catalogue.ts'
import type { PartitionHead } from './format/partition-head.ts'
import type { PartitionKey } from './partition-key.ts'
import type { Venue } from './venue.ts'

/** What a partition becomes. Blocks before `fromBlock` stay as they are; the rest is replaced. */
export type PartitionChange = {
  key: PartitionKey
  /** What it was when the change was planned, in the same transaction; null for a new one. */
  before: PartitionHead | null
  head: PartitionHead
  fromBlock: number
  blocks: Uint8Array[]
  /** State of the books at the start of every block from 1 on; block 0 starts from the head's opening books. */
  states: Uint8Array[]
}

export interface BlockStore {
  /** Whether anything is stored of a market. Throws DataError('block_corrupt') where that cannot be told. */
  hasMarket(venue: Venue, market: string): boolean
  head(key: PartitionKey): PartitionHead | undefined
  /** Throws DataError('block_corrupt') where the head names a block that is not there. */
  block(key: PartitionKey, index: number): Uint8Array
  state(key: PartitionKey, index: number): Uint8Array
  /** The nearest stored date before or after one. */
  neighbour(key: PartitionKey, direction: 'before' | 'after'): string | undefined
  /** Runs `work` in one write transaction: a reader sees all of it or nothing, and no other writer comes between what
   *  it reads and what it applies. Throws DataError('disk_full') and has then changed nothing. */
  transaction(work: (apply: (change: PartitionChange) => void) => void): void
  putSlugs(slugs: { events: SlugAnswer[]; markets: SlugAnswer[] }): void
  /** What a market takes in the store: its blocks, states and heads, without the store's own index. Reads them all. */
  bytesOf(venue: Venue, market: string): number
  /** Every stored partition, in key order. */
  partitions(venue: Venue): Iterable<PartitionKey>
}
