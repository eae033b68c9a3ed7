// Trades as columns, and the number of a day's trades up to the cursor.

import type { ArrowTable } from './arrow.ts'
import { countUpTo } from './count-up-to.ts'
import { joined } from './joined.ts'

export type Side = 'buy' | 'sell' | null
/** `record` is null for a trade borrowed from an archive, whose records the date does not show. */
export type Trade = { ms: number; record: number | null; price: number; size: number; side: Side }

/** Trades by time; trades of one time by record number. */
export type TradeColumns = {
  /** Unix ms. */
  timestamp: Float64Array
  /** Record numbers within the date; NaN for a borrowed trade. */
  record: Float64Array
  /** Dollars. */
  price: Float64Array
  /** Contracts. */
  size: Float64Array
  /** The taker's side; null if the venue does not say. */
  side: readonly Side[]
}

export const TRADE_NUMBERS = ['timestamp', 'record', 'price', 'size'] as const

/** Joins the trades of several pages of an answer. */
export const tradesIn = (pages: readonly ArrowTable[]): TradeColumns =>
  withNumbers(
    (name) => joined(pages.map((page) => page.numbers(name))),
    pages.flatMap((page) => page.texts('side') as Side[]),
  )

/** Builds the columns. `column` is called for each numeric column. */
export const withNumbers = (
  column: (name: (typeof TRADE_NUMBERS)[number]) => Float64Array,
  side: readonly Side[],
): TradeColumns => ({
  ...{ timestamp: column('timestamp'), record: column('record') },
  ...{ price: column('price'), size: column('size'), side },
})

/** Returns the number of trades before `atMs`, plus those at `atMs` up to `record`, or all at `atMs` if `record`
 *  is null. Returns 0 if `atMs` is null. */
export const countTradesAt = (
  { timestamp, record: places }: Pick<TradeColumns, 'timestamp' | 'record'>,
  { atMs, record }: { atMs: number | null; record: number | null },
): number => {
  let count = countUpTo(timestamp, atMs ?? -Infinity)
  while (count > 0 && timestamp[count - 1] === atMs && places[count - 1]! > (record ?? Infinity)) count--
  return count
}

/** Returns the record number of a trade; null for a borrowed trade. */
export const recordAt = (records: Float64Array, row: number): number | null =>
  Number.isNaN(records[row]!) ? null : records[row]!

export const tradeAt = ({ timestamp, record, price, size, side }: TradeColumns, row: number): Trade => ({
  ms: timestamp[row]!,
  record: recordAt(record, row),
  price: price[row]!,
  size: size[row]!,
  side: side[row]!,
})
