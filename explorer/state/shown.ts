// The span of time that a market's view shows: the one in its address, otherwise the recorded span of its newest day.

import type { Stretch } from './view.ts'

export const DAY_MS = 86_400_000
/** The shortest span that can be shown. */
export const SPAN_MIN_MS = 1_000

/** The stored dates, ascending. */
export type StoredDates = readonly { date: string; first_timestamp: number; last_timestamp: number }[]

/** Dates on which nothing is stored, shown as a narrow band. */
export type Fold = {
  fromMs: number
  toMs: number
  /** The length that the fold takes on the axis, ms. */
  lengthMs: number
}

/** `folds` are the folds of the axis on which the span is shown, ascending. */
export type Span = { fromMs: number; toMs: number; folds?: readonly Fold[] }

export const dayStartMs = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS

/** Returns the span to show; null if nothing is stored and the view has no instant. */
export function shownSpan({ fromMs, toMs, atMs }: Stretch, dates: StoredDates): Span | null {
  if (fromMs !== null && toMs !== null && fromMs < toMs) return { fromMs, toMs }
  const anchor = fromMs ?? atMs
  const date = anchor === null ? newestOf(dates) : dates.find((each) => Date.parse(each.date) === dayStartMs(anchor))
  if (date !== undefined) return around(date.first_timestamp, date.last_timestamp)
  return anchor === null ? null : { fromMs: dayStartMs(anchor), toMs: dayStartMs(anchor) + DAY_MS }
}

/** A last day shorter than this counts as a moment. A market that closes at midnight has such a day, in which its book
 *  is cleared. */
const MOMENT_MS = 60_000

/** Returns the newest day that is longer than a moment, otherwise the newest day. */
const newestOf = (dates: StoredDates) =>
  dates.findLast(({ first_timestamp, last_timestamp }) => last_timestamp - first_timestamp >= MOMENT_MS) ?? dates.at(-1)

/** Returns the last recorded instant in or before the span; null if nothing is recorded that early. */
export function closeOf(dates: StoredDates, { toMs }: Span): number | null {
  const last = dates.findLast(({ first_timestamp }) => first_timestamp <= toMs)
  return last === undefined ? null : Math.min(last.last_timestamp, toMs)
}

/** Returns the span between two instants, with a little room at both ends, within the day. */
export function around(firstMs: number, lastMs: number): Span {
  const room = Math.max(SPAN_MIN_MS, (lastMs - firstMs) * 0.01)
  const start = dayStartMs(firstMs)
  return {
    fromMs: Math.max(start, Math.floor(firstMs - room)),
    toMs: Math.min(start + DAY_MS, Math.ceil(lastMs + room)),
  }
}

/** Returns the last `days` days up to the end of the span, limited to the stored dates; all stored dates if `days` is
 *  not given. */
export function lastDays(dates: StoredDates, { toMs }: Span, days = Infinity): Span {
  const [first, last] = [dates[0], dates.at(-1)].map((each) => (each === undefined ? 0 : Date.parse(each.date)))
  const endMs = days === Infinity ? last! + DAY_MS : Math.min(last!, dayStartMs(toMs - 1)) + DAY_MS
  return { fromMs: Math.max(first!, endMs - days * DAY_MS), toMs: endMs }
}
