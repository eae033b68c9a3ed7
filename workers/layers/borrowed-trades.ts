// Counts the trades that the user's own spans of a date borrow from an archive (docs/sources.md). The date does not
// show the records of these trades, so its other counts leave them out.

import { blockPart } from '../../storage/block-store.ts'
import { decodeBlock } from '../../storage/format/block.ts'
import type { PartitionHead, TradeTotals } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { ExactSum } from '../bytes/exact-sum.ts'
import type { StoredPartition } from '../partition/partition-types.ts'
import { ALL_TRADES, tradesIn } from '../trades/block-trades.ts'
import { planTrades } from '../trades/trades-page.ts'

/** Returns the totals of the borrowed trades; undefined if there are none. Throws DataError('block_corrupt'). */
export function borrowedTrades(
  key: PartitionKey,
  head: PartitionHead,
  bytes: StoredPartition['bytes'],
): TradeTotals | undefined {
  const volume = new ExactSum()
  let tradeCount = 0
  const all = { ...key, ...ALL_TRADES, book: null, after: null, limit: Number.POSITIVE_INFINITY }
  for (const { stretch, entry, wanted } of planTrades(all, [{ date: key.date, head }])) {
    if (!stretch.isBorrowed) continue
    const { count, sizes } = tradesIn(decodeBlock(bytes(blockPart(entry.id))), wanted)
    for (let i = 0; i < count; i++) volume.add(sizes[i]!)
    tradeCount += count
  }
  return tradeCount === 0 ? undefined : { tradeCount, tradeVolume: String(volume.total()) }
}
