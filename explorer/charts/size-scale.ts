// Chooses the range of sizes that a depth map's colours span. All windows of one kind share a scale: colours that
// changed while panning would look like changed sizes.

import { useMemo } from 'preact/hooks'
import { bookText } from '../data/book-query.ts'
import { horizonOf } from '../state/horizon.ts'
import { isDark } from '../state/theme.ts'
import type { BookId, Stretch } from '../state/view.ts'
import type { MarketWindows } from './market-windows.ts'
import { colourTable, sizesAtShares } from './palette.ts'

export type Scale = { faintest: number; highest: number }

/** Shares of two quantiles of the resting sizes. Sizes up to the first quantile have the first colour, sizes from the
 *  second quantile on have the last colour. */
const SHARES = [0.1, 0.997] as const
const UNKNOWN: Scale = { faintest: 1, highest: 1_000 }

const scales = new Map<string, Scale>()
let latest = UNKNOWN

const HOUR_MS = 3_600_000

/** Returns the reader's scale, or else one from the first window of the book with this row step. If later data is
 *  hidden, each hour has a new scale. */
export function scaleOf(book: BookId, stretch: Stretch, { depth, priceStep }: MarketWindows): Scale {
  const { cutOff, aggregate } = stretch
  const horizon = horizonOf(stretch)
  const hour = horizon === null ? '' : Math.floor(horizon.ms / HOUR_MS)
  const found = cachedScale([bookText(book), aggregate, priceStep, hour].join(' '), depth, priceStep)
  const highest = cutOff.highest ?? found.highest
  return { faintest: Math.min(highest, cutOff.lowest || found.faintest), highest }
}

/** Returns the colour table of a depth map; the same object until an input changes. */
export function useTable({ palette, cutOff }: Stretch, { faintest, highest }: Scale): Uint32Array {
  const shades = { palette, isDark: isDark.value, lowest: cutOff.lowest ?? 0, faintest, highest }
  return useMemo(() => colourTable(shades), Object.values(shades))
}

function cachedScale(name: string, depth: MarketWindows['depth'], priceStep: number): Scale {
  const known = scales.get(name)
  if (known !== undefined) {
    latest = known
    return known
  }
  const first = depth.find(({ window }) => window.priceStep === priceStep && window.prices.length > 0)
  if (first === undefined) return latest
  const [faintest, highest] = sizesAtShares(first.window.sizes, SHARES)
  latest = { faintest, highest: niceSize(highest) }
  scales.set(name, latest)
  return latest
}

/** Rounds a size to two digits, so that it is easy to read. */
const niceSize = (size: number): number => Number(size.toPrecision(2))
