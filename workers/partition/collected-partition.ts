// The records of one partition as one capture gives them, all of them read: what is committed. It holds nothing but
// data, so that it can come from another thread.

import { BLOCK_RECORDS_MAX } from '../../storage/format/block.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { type EncodedBlock, loadBlock } from '../block/block-builder.ts'
import { decodeBooks } from '../book/book-state.ts'
import { type FinishedPartition, finishPartition } from './finish-partition.ts'

export type CollectedPartition = {
  key: PartitionKey
  recordCount: number
  blocks: EncodedBlock[]
  /** Ids of its books by number - 1, and the venue time of the first record of each, as the quote clock gives it. */
  bookIds: string[]
  firstUs: number[]
  /** Whether event times never step back: one run, which needs no sorting. */
  isSorted: boolean
  /** Records of the partition, in capture order, that nothing followed in their run, if they are untimed snapshots. */
  looseSnapshots: number[]
  /** No record of the partition can be the same as a stored one that is earlier than this. */
  earliestTwinMs: number
  /** The partition replayed beforehand, from the books that the day before it closed with. It holds only if the store
   *  has nothing of the partition, and has the same books before it. */
  replayed: { closingBooksBefore: Uint8Array | null; finished: FinishedPartition } | null
}

const SPARE_BLOCKS_MAX = 4

/** One run can be stored as it is, unless its blocks were closed so early that they are many and small. */
export function isReady({ isSorted, blocks, recordCount }: CollectedPartition): boolean {
  return isSorted && blocks.length <= SPARE_BLOCKS_MAX + 1.25 * Math.ceil(recordCount / BLOCK_RECORDS_MAX)
}

/** Memory that its blocks take. */
export function bytesOf({ blocks }: CollectedPartition): number {
  return blocks.reduce((sum, { content }) => sum + content.length, 0)
}

/** Replays the days of one market that the store has nothing of, each from the books that the one before it leaves,
 *  as far as that is known before they are stored. */
export function replayDays(days: CollectedPartition[]): void {
  let closingBooksBefore: Uint8Array | null = null
  for (const day of days.toSorted((a, b) => (a.key.date < b.key.date ? -1 : 1))) {
    if (!isReady(day)) return
    const earlier = closingBooksBefore === null ? [] : decodeBooks(closingBooksBefore)
    const finished = finishPartition(day.blocks.length, (index) => loadBlock(day.blocks[index]!), earlier)
    day.replayed = { closingBooksBefore, finished }
    closingBooksBefore = finished.closingBooks
  }
}
