// The records of one partition as one capture gives them, all of them read: what is committed. It holds nothing but
// data, so that it can come from another thread.

import { BLOCK_RECORDS_MAX } from '../../storage/format/block.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import type { EncodedBlock } from '../block/block-builder.ts'
import type { PlannedPartition } from './plan-days.ts'

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
  /** Made beforehand. It holds only if the store has nothing of the partition, and has the same books before it. */
  planned: PlannedPartition | null
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
