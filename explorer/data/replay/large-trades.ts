// The trades of a size and more within what is shown, one by one, and each as a bucket of its own.

import type { EachTrade, TradeWindow } from '../buckets/bucket-window.ts'
import { joined } from '../joined.ts'
import type { DayTrades } from './trade-columns.ts'

export type LargeTrades = { each: EachTrade; buckets: TradeWindow }

export function largeTrades(days: readonly DayTrades[], least: number, { fromMs, toMs }: Span): LargeTrades {
  const found = days.map((day) => largeOf(day, least, { fromMs, toMs }))
  const column = (name: 'timesMs' | 'records' | 'prices' | 'sizes') => joined(found.map((each) => each[name]))
  const [timestamp, price, size] = [column('timesMs'), column('prices'), column('sizes')]
  const side = found.flatMap(({ sides }) => sides)
  const window = { startMs: fromMs, endMs: toMs, resolutionMs: 0, rows: size.length, timestamp }
  const ofSide = (which: 'buy' | 'sell') => size.map((contracts, row) => (side[row] === which ? contracts : 0))
  return {
    each: { ...window, price, size, side, record: column('records') },
    buckets: {
      ...{ ...window, vwap: price, volume: size, count: size.map(() => 1) },
      ...{ buyVolume: ofSide('buy'), sellVolume: ofSide('sell') },
    },
  }
}

type Span = { fromMs: number; toMs: number }

function largeOf(
  { timesMs, records, prices, sizes, sides }: DayTrades,
  least: number,
  { fromMs, toMs }: Span,
): DayTrades {
  const rows = [...sizes.keys()].filter(
    (row) => sizes[row]! >= least && timesMs[row]! >= fromMs && timesMs[row]! <= toMs,
  )
  const of = (values: Float64Array) => Float64Array.from(rows, (row) => values[row]!)
  return {
    ...{ timesMs: of(timesMs), records: of(records), prices: of(prices), sizes: of(sizes) },
    sides: rows.map((row) => sides[row]!),
  }
}
