// The horizon: while the future is hidden, the page shows nothing later than the cursor.

import { DAY_MS } from './shown.ts'
import type { Stretch } from './view.ts'

/** The position after all records at `ms`; or after one of them, if `record` is not null. */
export type Horizon = { ms: number; record: number | null }

/** Returns the horizon of a view; null if nothing is hidden. */
export const horizonOf = ({ hidesFuture, atMs, record }: Pick<Stretch, 'hidesFuture' | 'atMs' | 'record'>) =>
  hidesFuture && atMs !== null ? { ms: atMs, record } : null

/** Returns the first instant with hidden records, Unix ms. */
export const hiddenFrom = (horizon: Horizon | null): number =>
  horizon === null ? Infinity : horizon.record === null ? horizon.ms + 1 : horizon.ms

type StoredDate = {
  date: string
  last_timestamp: number
  gaps: readonly { timestamp: number }[]
  inferred_gaps: readonly { from: number }[]
}

/** Returns the stored dates up to the horizon. The horizon's own date appears to last until midnight, because its real
 *  end is hidden. */
export function passedDates<T extends StoredDate>(dates: readonly T[], horizon: Horizon | null): readonly T[] {
  if (horizon === null) return dates
  const endMs = hiddenFrom(horizon)
  return dates
    .filter(({ date }) => Date.parse(date) < endMs)
    .map((day) => {
      const midnightMs = Date.parse(day.date) + DAY_MS
      if (midnightMs <= endMs) return day
      return {
        ...day,
        last_timestamp: midnightMs - 1,
        gaps: day.gaps.filter(({ timestamp }) => timestamp < endMs),
        inferred_gaps: day.inferred_gaps.filter(({ from }) => from < endMs),
      }
    })
}

/** Cuts stretches off at `endMs`, and drops those that start later. */
export const clippedTo = <T extends { fromMs: number; toMs: number }>(stretches: readonly T[], endMs: number): T[] =>
  stretches.filter(({ fromMs }) => fromMs < endMs).map((each) => ({ ...each, toMs: Math.min(each.toMs, endMs) }))
