// What the head of a partition says (temporary: moves to storage/format/partition-head.ts).

import type { GapEntry } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import type { SpilledBytes } from '../block/spill-file.ts'
import type { Top } from '../book/order-book.ts'

export type BlockEntry = {
  id: number
  /** Of the state that the block starts from; 0 for the first block, which starts from the opening books. */
  stateId: number
  firstRecord: number
  recordCount: number
  firstMs: number
  lastMs: number
  bookRecords: number[]
  /** Size of the stored block. */
  bytes: number
}
/** Rows of each book, by its index, over [firstRecord, firstRecord + recordCount). A book with no row has no part. */
export type RollupEntry = {
  id: number
  firstRecord: number
  recordCount: number
  minutes: number[]
  /** Null where they would take too much room. */
  seconds: number[] | null
  /** Time of the quote of each book that is open at the end: it is in no row; -1 where none is. */
  openMs: number[]
}
export type BookEntry = {
  id: string
  recordCount: number
  tradeCount: number
  quoteCount: number
  firstQuoteMs: number | null
  lastQuoteMs: number | null
  startsFrom: 'snapshot' | 'opening_book' | 'neither'
  snapshotCount: number
  opening: Top | null
  /** The last quote, where a record of its venue time may still follow: it is counted, and in no rollup. */
  last: (Top & { timeMs: number }) | null
}
export type PartitionHead = {
  version: 2
  revision: number
  nextId: number
  recordCount: number
  tradeCount: number
  firstMs: number
  lastMs: number
  blocks: BlockEntry[]
  rollups: RollupEntry[]
  books: BookEntry[]
  gaps: GapEntry[]
  looseSnapshots: number[]
  edits: [number, number][]
}
export type PartitionBooks = { opening: Uint8Array | null; closing: Uint8Array | null }
export type PartKind = 'block' | 'state' | 'seconds' | 'minutes'
export type PartId = { kind: PartKind; id: number; book: number }
export type StoredPart = PartId & { bytes: Uint8Array }
/** A part to store; a block of a capture may still lie in a temporary file. */
export type PlannedPart = PartId & { content: Uint8Array | SpilledBytes }
export type PartitionChange = {
  key: PartitionKey
  before: PartitionHead | null
  head: PartitionHead | null
  books: PartitionBooks | null
  put: PlannedPart[]
  removed: PartId[]
}

/** What is stored of a partition, read without waiting. */
export type StoredPartition = { head: PartitionHead; books: PartitionBooks; bytes(part: PartId): Uint8Array }
