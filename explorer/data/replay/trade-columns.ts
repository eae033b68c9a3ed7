// The trades of a day as columns.

import { countUpTo } from '../count-up-to.ts'

export type Trade = { ms: number; record: number; price: number; size: number; side: 'buy' | 'sell' | null }

/** As stored, which is by place in the date. */
export type DayTrades = {
  timesMs: Float64Array
  records: Float64Array
  prices: Float64Array
  sizes: Float64Array
  sides: readonly Trade['side'][]
}

/** How many of a day there are at the cursor, which is behind a record or else at an instant. */
export const countTradesAt = (
  { timesMs, records }: DayTrades,
  { atMs, record }: { atMs: number | null; record: number | null },
): number => (record === null ? countUpTo(timesMs, atMs ?? -Infinity) : countUpTo(records, record))

export const tradeAt = ({ timesMs, records, prices, sizes, sides }: DayTrades, row: number): Trade => ({
  ms: timesMs[row]!,
  record: records[row]!,
  price: prices[row]!,
  size: sizes[row]!,
  side: sides[row]!,
})
