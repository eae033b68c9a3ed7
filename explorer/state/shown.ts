// What of time a view of a market shows: as its address says, else all that is recorded of its newest day.

import type { Stretch } from './view.ts'

export const DAY_MS = 86_400_000
/** The finest that can be looked at. */
export const SPAN_MIN_MS = 1_000

/** What is stored, ascending. */
export type StoredDates = readonly { date: string; first_timestamp: number; last_timestamp: number }[]

/** Dates on which nothing is stored. */
export type Fold = {
  fromMs: number
  toMs: number
  /** How long it looks, ms. */
  lengthMs: number
}

/** `folds` are those of the axis that it is shown on, ascending. */
export type Span = { fromMs: number; toMs: number; folds?: readonly Fold[] }

export const dayStartMs = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS

/** Null where nothing is stored, and no instant is given. */
export function shownSpan({ fromMs, toMs, atMs }: Stretch, dates: StoredDates): Span | null {
  if (fromMs !== null && toMs !== null && fromMs < toMs) return { fromMs, toMs }
  const anchor = fromMs ?? atMs
  const date = anchor === null ? newestOf(dates) : dates.find((each) => Date.parse(each.date) === dayStartMs(anchor))
  if (date !== undefined) return around(date.first_timestamp, date.last_timestamp)
  return anchor === null ? null : { fromMs: dayStartMs(anchor), toMs: dayStartMs(anchor) + DAY_MS }
}

/** A market that closes at midnight has a last day of a moment, in which its book is cleared. */
const MOMENT_MS = 60_000

/** The newest day that is more than a moment, else the newest. */
const newestOf = (dates: StoredDates) =>
  dates.findLast(({ first_timestamp, last_timestamp }) => last_timestamp - first_timestamp >= MOMENT_MS) ?? dates.at(-1)

/** The last recorded instant of what is shown, or before it; null where nothing is recorded as early. */
export function closeOf(dates: StoredDates, { toMs }: Span): number | null {
  const last = dates.findLast(({ first_timestamp }) => first_timestamp <= toMs)
  return last === undefined ? null : Math.min(last.last_timestamp, toMs)
}

/** With a little room at both ends, within the day. */
export function around(firstMs: number, lastMs: number): Span {
  const room = Math.max(SPAN_MIN_MS, (lastMs - firstMs) * 0.01)
  const start = dayStartMs(firstMs)
  return {
    fromMs: Math.max(start, Math.floor(firstMs - room)),
    toMs: Math.min(start + DAY_MS, Math.ceil(lastMs + room)),
  }
}

/** The last days up to the last one of what is shown, no more than are stored; all of them where no number is given. */
export function lastDays(dates: StoredDates, { toMs }: Span, days = Infinity): Span {
  const [first, last] = [dates[0], dates.at(-1)].map((each) => (each === undefined ? 0 : Date.parse(each.date)))
  const endMs = days === Infinity ? last! + DAY_MS : Math.min(last!, dayStartMs(toMs - 1)) + DAY_MS
  return { fromMs: Math.max(first!, endMs - days * DAY_MS), toMs: endMs }
}
