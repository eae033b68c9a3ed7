// Which small blocks at the end of a partition are written anew, together with what is appended. Blocks are joined in
// tiers, so that a record is rewritten three times in its life, and a partition has few small blocks.

import { BLOCK_RECORDS_MAX } from '../../storage/format/block.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'

const TIERS = [64, 512, 4_096, BLOCK_RECORDS_MAX]
/** Blocks of a tier are joined when they are so many. Which number it is differs from join to join and from partition
 *  to partition: many of them begin with one commit and grow with each, and no commit is to join blocks of all. */
const BLOCKS_OF_TIER_MIN = 6
const BLOCKS_OF_TIER_MAX = 11

/** What `joinFrom` tells partitions apart by. */
export const seedOf = ({ venue, market, date }: PartitionKey): number =>
  Bun.hash.xxHash32(`${venue} ${market} ${date}`) >>> 1

/** Index of the first block to be joined with `added` records behind it; the number of blocks where none is. */
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

/** Of those from block `first` on. */
function blocksOfTier(recordCounts: number[], first: number, seed: number): number {
  let firstRecord = 0
  for (let i = 0; i < first; i++) firstRecord += recordCounts[i]!
  const mixed = Math.imul(seed ^ firstRecord, 0x9e3779b1) >>> 16
  return BLOCKS_OF_TIER_MIN + (mixed % (BLOCKS_OF_TIER_MAX - BLOCKS_OF_TIER_MIN + 1))
}

/** How many of the first blocks are joined with nothing that follows. */
export function lastingBlocks(recordCounts: number[]): number {
  return recordCounts.findLastIndex((count) => count >= BLOCK_RECORDS_MAX) + 1
}
