// Computes the best prices over time as columns: from the buckets of a summary, or from a depth map if its columns are
// shorter than the shortest bucket.

import type { QuoteWindow } from './buckets/bucket-window.ts'
import { joined } from './columns/joined.ts'
import type { DepthWindow } from './depth-window.ts'

export type BestPrices = {
  /** Length of a column, ms; a column has the prices at its end. If 0, each price applies from its time until the next
   *  time. */
  resolutionMs: number
  /** Starts of columns, Unix ms. */
  times: Float64Array
  /** Dollars, NaN where there is no price. */
  bid: Float64Array
  ask: Float64Array
  /** The lowest and the highest price within each column; undefined if `resolutionMs` is 0. */
  ranges?: { bid: Range; ask: Range }
}

type Range = { low: Float64Array; high: Float64Array }

export function bestOfQuotes(windows: readonly QuoteWindow[], resolutionMs: number): BestPrices {
  const column = (name: keyof QuoteWindow['columns']) => joinedColumn(windows, name)
  const ranges = {
    bid: { low: column('best_bid_low'), high: column('best_bid_high') },
    ask: { low: column('best_ask_low'), high: column('best_ask_high') },
  }
  return { resolutionMs, times: column('timestamp'), bid: column('best_bid'), ask: column('best_ask'), ranges }
}

export const joinedColumn = (windows: readonly QuoteWindow[], name: keyof QuoteWindow['columns']): Float64Array =>
  joined(windows.map(({ columns }) => columns[name]))

/** Returns the best prices from depth maps. The maps must hold the sizes at the end of each column, with rows one tick
 *  high. */
export function bestOfDepth(windows: readonly DepthWindow[], resolutionMs: number): BestPrices {
  const each = windows.map(bestOfWindow)
  const column = (name: 'times' | 'bid' | 'ask') => joined(each.map((columns) => columns[name]))
  const [bid, ask] = [column('bid'), column('ask')]
  // Ranges are needed here too: several columns may share a pixel.
  const ranges = { bid: { low: bid, high: bid }, ask: { low: ask, high: ask } }
  return { resolutionMs, times: column('times'), bid, ask, ranges }
}

const found = new WeakMap<DepthWindow, { times: Float64Array; bid: Float64Array; ask: Float64Array }>()

function bestOfWindow(window: DepthWindow): { times: Float64Array; bid: Float64Array; ask: Float64Array } {
  const known = found.get(window)
  if (known !== undefined) return known
  const { columns, prices, sizes, startMs, resolutionMs } = window
  const bids = new Float64Array(columns).fill(Number.NaN)
  const asks = new Float64Array(columns).fill(Number.NaN)
  for (let row = 0; row < prices.length; row++) {
    const from = row * columns
    for (let column = 0; column < columns; column++) {
      const size = sizes[from + column]!
      if (size > 0) bids[column] = prices[row]!
      else if (size < 0 && Number.isNaN(asks[column]!)) asks[column] = prices[row]!
    }
  }
  const best = {
    times: Float64Array.from({ length: columns }, (_, i) => startMs + i * resolutionMs),
    bid: bids,
    ask: asks,
  }
  found.set(window, best)
  return best
}
