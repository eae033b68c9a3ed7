// Computes the data of studies from the trades in view; running sums start where the view starts.

import type { EachTrade, TradeWindow } from '../../data/buckets/bucket-window.ts'
import type { Span } from '../../state/shown.ts'

export type Running = {
  /** Starts of buckets with trades, Unix ms. */
  times: Float64Array
  /** Contracts that takers have bought so far, minus those that they have sold. */
  delta: Float64Array
  /** Average price per contract so far, dollars. */
  vwap: Float64Array
}

export function runningOf(windows: readonly TradeWindow[], { fromMs, toMs }: Span): Running {
  const rows: [ms: number, delta: number, vwap: number][] = []
  let [delta, volume, notional] = [0, 0, 0]
  for (const { timestamp, vwap, volume: contracts, buyVolume, sellVolume, rows: count, resolutionMs } of windows) {
    for (let row = 0; row < count; row++) {
      const ms = timestamp[row]!
      if (ms + resolutionMs <= fromMs || ms > toMs || !(contracts[row]! > 0)) continue
      delta += buyVolume[row]! - sellVolume[row]!
      volume += contracts[row]!
      notional += vwap[row]! * contracts[row]!
      rows.push([ms, delta, notional / volume])
    }
  }
  const column = (at: 0 | 1 | 2) => Float64Array.from(rows, (row) => row[at])
  return { times: column(0), delta: column(1), vwap: column(2) }
}

/** Contracts traded within one price step. `price` is the lower end of the step, dollars. */
export type AtPrice = { price: number; bought: number; sold: number; volume: number }

export function volumeAtPrice({ rows, price, size, side }: EachTrade, step: number): AtPrice[] {
  const levels = new Map<number, AtPrice>()
  for (let row = 0; row < rows; row++) {
    const level = Math.floor(price[row]! / step + 1e-6)
    const at = levels.get(level) ?? { price: Number((level * step).toFixed(6)), bought: 0, sold: 0, volume: 0 }
    at.volume += size[row]!
    if (side[row] === 'buy') at.bought += size[row]!
    if (side[row] === 'sell') at.sold += size[row]!
    levels.set(level, at)
  }
  return [...levels.values()].sort((a, b) => a.price - b.price)
}
