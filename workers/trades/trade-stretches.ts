// Finds where the trades of dates are stored. Normally they are in the records that a date shows. But if the user's own
// recording of a date has no trade, its spans borrow the trades of an archive (docs/sources.md). Pure.

import type { StoredDay } from '../../storage/catalogue.ts'
import { headOfSource, sourcesOf } from '../../storage/format/head-layers.ts'
import { type PartitionHead, spanEndMs } from '../../storage/format/partition-head.ts'

/** A time of a day with trades from one head. `head` has the trades from `fromMs` to `toMs`, both inclusive. `day` is
 *  the day as shown. The day does not show the records of borrowed trades. `number` is the index of the stretch in
 *  the day. */
export type TradeStretch = {
  day: StoredDay
  head: PartitionHead
  fromMs: number
  toMs: number
  isBorrowed: boolean
  number: number
}

/** Returns the stretches of all days, ascending. Throws DataError('block_corrupt'). */
export const tradeStretches = (days: readonly StoredDay[]): TradeStretch[] => days.flatMap(stretchesOf)

function stretchesOf(day: StoredDay): TradeStretch[] {
  const { head } = day
  const whole = { day, fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY, number: 0 }
  const lender = lenderOf(head)
  if (lender === undefined) return [{ ...whole, head, isBorrowed: false }]
  const { spans } = head
  return spans!.map(([source, fromMs], number) => ({
    ...{ day, number },
    head: source === null ? lender : head,
    fromMs: number === 0 ? whole.fromMs : fromMs,
    toMs: spanEndMs(spans!, number) - 1,
    isBorrowed: source === null,
  }))
}

/** Returns the head of the first archive that has trades, if the user's own layer has none. Returns undefined if that
 *  layer has trades, if the user has no layer, or if no archive has trades. */
function lenderOf(head: PartitionHead): PartitionHead | undefined {
  if (head.layers === undefined || headOfSource(head, null)?.tradeCount !== 0) return undefined
  const archives = sourcesOf(head).filter((source) => source !== null)
  return archives.map((source) => headOfSource(head, source)!).find(({ tradeCount }) => tradeCount > 0)
}
