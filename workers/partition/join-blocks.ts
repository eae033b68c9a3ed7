// Decides which small blocks at the end of a partition are rewritten together with appended records. Blocks are joined
// in tiers, so a record is rewritten three or four times in its life, and a partition has few small blocks.

import { BLOCK_RECORDS_MAX } from '../../storage/format/block.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'

const TIERS = [64, 512, 4_096, BLOCK_RECORDS_MAX]
/** A tier is joined when its number of blocks reaches a value between these two. The value differs between joins and
 *  between partitions: many partitions begin with the same commit and grow with each one, and no commit should join the
 *  blocks of all of them. */
const BLOCKS_OF_TIER_MIN = 6
const BLOCKS_OF_TIER_MAX = 11

/** Returns a number that differs between partitions, for `joinFrom`. */
export const seedOf = ({ venue, market, date }: PartitionKey): number =>
  Bun.hash.xxHash32(`${venue} ${market} ${date}`) >>> 1

/** Returns the index of the first block to join with `added` records after it; the number of blocks if none is
 *  joined. */
export function joinFrom(recordCounts: number[], added: number, seed: number): number {
  let from = recordCounts.length
  let sum = added
  for (const tier of TIERS) {
    if (sum >= tier) continue
    let first = from
    let joined = sum
    while (first > 0 && recordCounts[first - 1]! < tier) joined += recordCounts[--first]!
    if (from - first < blocksOfTier(recordCounts, first, seed) && joined < BLOCK_RECORDS_MAX) return from
    from = first
    sum = joined
  }
  return sum < BLOCK_RECORDS_MAX ? from : lastingBlocks(recordCounts.slice(0, from))
}

/** Returns how many blocks of a tier are joined, for the blocks from `first` on. */
function blocksOfTier(recordCounts: number[], first: number, seed: number): number {
  let firstRecord = 0
  for (let i = 0; i < first; i++) firstRecord += recordCounts[i]!
  const mixed = Math.imul(seed ^ firstRecord, 0x9e3779b1) >>> 16
  return BLOCKS_OF_TIER_MIN + (mixed % (BLOCKS_OF_TIER_MAX - BLOCKS_OF_TIER_MIN + 1))
}

/** Returns how many blocks at the start of the partition are never joined with later blocks. */
export function lastingBlocks(recordCounts: number[]): number {
  return recordCounts.findLastIndex((count) => count >= BLOCK_RECORDS_MAX) + 1
}
