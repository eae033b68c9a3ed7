// Joins the columns of all windows shown, for the lower panes.

import { joinedColumn } from '../data/best-prices.ts'
import type { QuoteWindow, TradeWindow } from '../data/buckets/bucket-window.ts'
import { joined } from '../data/columns/joined.ts'
import type { Span } from '../state/shown.ts'
import type { Bars } from './draw/bars.ts'
import { firstShown } from './draw/lines.ts'

export type BucketColumns = {
  quotes: Bars
  spread: Bars
  bought: Bars
  /** Contracts that takers sold, as negative values, so that the bars are drawn below the line. */
  sold: Bars
  /** Contracts that were bought or whose side the venue does not give. */
  notSold: Bars
}

export function bucketColumns(quotes: readonly QuoteWindow[], trades: readonly TradeWindow[]): BucketColumns {
  const times = joinedColumn(quotes, 'timestamp')
  const resolutionMs = Math.max(1_000, quotes[0]?.resolutionMs ?? 0)
  const of = (name: keyof QuoteWindow['columns']) => ({ times, resolutionMs, values: joinedColumn(quotes, name) })
  return { quotes: of('quote_count'), spread: of('spread'), ...volumesOf(trades) }
}

function volumesOf(windows: readonly TradeWindow[]): { bought: Bars; sold: Bars; notSold: Bars } {
  const column = (name: 'timestamp' | 'volume' | 'buyVolume' | 'sellVolume') =>
    joined(windows.map((window) => window[name]))
  const [times, volume, sold] = [column('timestamp'), column('volume'), column('sellVolume')]
  const resolutionMs = windows[0]?.resolutionMs ?? 0
  const bars = (values: Float64Array): Bars => ({ times, values, resolutionMs })
  return {
    bought: bars(column('buyVolume')),
    sold: bars(sold.map((contracts) => -contracts)),
    notSold: bars(volume.map((contracts, row) => contracts - sold[row]!)),
  }
}

/** Returns the largest absolute value in view; with `share`, the quantile at that share. 0 if there is no value. */
export function largestShown({ times, values }: Bars, { fromMs, toMs }: Span, share = 1): number {
  const shown: number[] = []
  for (let at = firstShown(times, fromMs); at < times.length && times[at]! <= toMs; at++) {
    if (!Number.isNaN(values[at]!)) shown.push(Math.abs(values[at]!))
  }
  if (share === 1) return shown.reduce((max, value) => Math.max(max, value), 0)
  shown.sort((a, b) => a - b)
  return shown[Math.floor((shown.length - 1) * share)] ?? 0
}
