// Selects the visible trades of at least a given size, as single trades and as buckets of one trade each.

import type { EachTrade, TradeWindow } from '../buckets/bucket-window.ts'
import { joined } from '../columns/joined.ts'
import { type TradeColumns, withNumbers } from '../columns/trade-columns.ts'

export type LargeTrades = { each: EachTrade; buckets: TradeWindow }

export function largeTrades(days: readonly TradeColumns[], least: number, { fromMs, toMs }: Span): LargeTrades {
  const found = days.map(({ timestamp, size, ...day }) => {
    const isShown = (row: number) => size[row]! >= least && timestamp[row]! >= fromMs && timestamp[row]! <= toMs
    return { ...day, timestamp, size, rows: [...size.keys()].filter(isShown) }
  })
  const trades = withNumbers(
    (name) => joined(found.map((day) => Float64Array.from(day.rows, (row) => day[name][row]!))),
    found.flatMap(({ rows, side }) => rows.map((row) => side[row]!)),
  )
  const { timestamp, price, size, side } = trades
  const window = { startMs: fromMs, endMs: toMs, resolutionMs: 0, rows: size.length }
  const ofSide = (which: 'buy' | 'sell') => size.map((contracts, row) => (side[row] === which ? contracts : 0))
  return {
    each: { ...window, ...trades },
    buckets: {
      ...{ ...window, timestamp, vwap: price, volume: size, count: size.map(() => 1) },
      ...{ buyVolume: ofSide('buy'), sellVolume: ofSide('sell') },
    },
  }
}

type Span = { fromMs: number; toMs: number }
