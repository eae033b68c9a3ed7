// The tick of a market: the step of its prices, which may depend on the price.

import type { BookId } from '../state/view.ts'
import { isNoSide } from './no-side/of-side.ts'

export type PriceRange = { start: number; end: number; step: number }

type Info = { tick_size: number | null; price_ranges: readonly PriceRange[] | null } | null

/** Returns the ticks from a market's metadata; empty if unknown. */
export function ticksOf(book: BookId, info: Info): readonly PriceRange[] {
  const ticks = yesTicksOf(info)
  if (!isNoSide(book)) return ticks
  const less = (dollars: number) => Number((1 - dollars).toFixed(6))
  return ticks.map(({ start, end, step }) => ({ start: less(end), end: less(start), step })).toReversed()
}

/** Returns the ticks of the Yes side, whichever side of a Kalshi market is shown. */
export function yesTicksOf(info: Info): readonly PriceRange[] {
  if (info === null) return []
  if (info.price_ranges !== null && info.price_ranges.length > 0) return info.price_ranges
  return info.tick_size === null ? [] : [{ start: 0, end: 1, step: info.tick_size }]
}

export function tickAt(ticks: readonly PriceRange[], dollars: number): number | null {
  const found = ticks.find(({ start, end }) => dollars >= start - 1e-9 && dollars < end - 1e-9)
  return (found ?? ticks.at(-1))?.step ?? null
}

/** Returns the smallest tick in a price range; null if unknown. */
export function smallestTick(ticks: readonly PriceRange[], { low, high }: { low: number; high: number }) {
  const shown = ticks.filter(({ start, end }) => start < high && end > low)
  return shown.length === 0 ? null : Math.min(...shown.map(({ step }) => step))
}

/** Returns the number of decimals that prices in cents need. `tick` is in dollars, null if unknown. */
export function centDecimals(tick: number | null): number {
  const cents = (tick ?? 0.001) * 100
  return cents >= 1 ? 0 : cents >= 0.1 - 1e-9 ? 1 : 2
}
