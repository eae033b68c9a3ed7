// Counts the trades that an archive lends to the user's own spans of a date (docs/sources.md). No record that the date
// shows has them, so the date's other counts leave them out.

import { blockPart } from '../../storage/block-store.ts'
import type { StoredDay } from '../../storage/catalogue.ts'
import { decodeBlock } from '../../storage/format/block.ts'
import type { TradeTotals } from '../../storage/format/partition-head.ts'
import { ExactSum } from '../bytes/exact-sum.ts'
import type { StoredPartition } from '../partition/partition-types.ts'
import { ALL_TRADES, tradesIn } from '../trades/block-trades.ts'
import { tradeStretches } from '../trades/trade-stretches.ts'

/** Returns the totals of the lent trades; undefined if there are none. Throws DataError('block_corrupt'). */
export function lentTrades(day: StoredDay, bytes: StoredPartition['bytes']): TradeTotals | undefined {
  const volume = new ExactSum()
  let tradeCount = 0
  for (const { head, fromMs, toMs, isBorrowed } of tradeStretches([day])) {
    for (const { id, firstMs, lastMs, tradeCounts } of isBorrowed ? head.blocks : []) {
      if (lastMs < fromMs || firstMs > toMs || tradeCounts.every((count) => count === 0)) continue
      const { count, sizes } = tradesIn(decodeBlock(bytes(blockPart(id))), { ...ALL_TRADES, fromMs, toMs })
      for (let i = 0; i < count; i++) volume.add(sizes[i]!)
      tradeCount += count
    }
  }
  return tradeCount === 0 ? undefined : { tradeCount, tradeVolume: String(volume.total()) }
}
