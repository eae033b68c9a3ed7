// Which small blocks at the end of a partition are written anew, together with what is appended. Blocks are joined in
// tiers, so that a record is rewritten three or four times in its life, and a partition has few small blocks.

import { BLOCK_RECORDS_MAX } from '../../storage/format/block.ts'

const TIERS = [64, 512, 4_096, BLOCK_RECORDS_MAX]
/** As many blocks of a tier are joined even where they do not fill the next one. */
const BLOCKS_OF_TIER_MAX = 8

/** Index of the first block to be joined with `added` records behind it; the number of blocks where none is. */
export function joinFrom(recordCounts: number[], added: number): number {
  let from = recordCounts.length
  let sum = added
  for (const tier of TIERS) {
    let first = from
    let joined = sum
    while (first > 0 && recordCounts[first - 1]! < tier) joined += recordCounts[--first]!
    const isJoined = joined >= tier || from - first >= BLOCKS_OF_TIER_MAX
    if (!isJoined) return from
    from = first
    sum = joined
    // What is written already fills this tier: only larger blocks could follow.
    if (joined < tier) return from
  }
  return from
}
