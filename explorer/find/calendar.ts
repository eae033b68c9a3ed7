// Days of a calendar: how reliable each day's data is, how the days are arranged, and how the arrow keys move between
// them.

import { DAY_MS } from '../state/shown.ts'

const CONDITIONS = ['available', 'degraded', 'missing'] as const
export type Condition = (typeof CONDITIONS)[number]

export type Day = {
  date: string
  condition: Condition
  /** Number of records; null if it is not shown. */
  records: number | null
  /** What is wrong with the day, as text; empty if nothing is. */
  faults: string
}

export const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Adds the days between the given ones on which nothing is stored, and marks them as missing. `days` must ascend. */
export function withMissing(days: readonly Day[]): Day[] {
  const all: Day[] = []
  for (const day of days) {
    const last = all.at(-1)
    for (
      let ms = last === undefined ? Infinity : Date.parse(last.date) + DAY_MS;
      ms < Date.parse(day.date);
      ms += DAY_MS
    )
      all.push({ date: dateOf(ms), condition: 'missing', records: 0, faults: '' })
    all.push(day)
  }
  return all
}

/** Returns the weekday; 0 is Monday. */
export const weekdayOf = (date: string): number => (new Date(date).getUTCDay() + 6) % 7

/** Returns the day to which a key moves, undefined for other keys. In `weeks`, a column is a week; in a `strip`, all
 *  days are in one row. */
export function movedDay(index: number, key: string, { layout, count }: { layout: Layout; count: number }) {
  const steps: Record<string, number> =
    layout === 'weeks'
      ? { ArrowLeft: -7, ArrowRight: 7, ArrowUp: -1, ArrowDown: 1, Home: -count, End: count }
      : { ArrowLeft: -1, ArrowRight: 1, PageUp: -30, PageDown: 30, Home: -count, End: count }
  const step = steps[key]
  if (step === undefined) return undefined
  return Math.max(0, Math.min(count - 1, index + step))
}

export type Layout = 'weeks' | 'strip'

/** Weeks as columns: the positions of the days and month names, and the weeks that are skipped. Columns start at 1. */
export type Weeks = {
  days: readonly { day: Day; column: number; weekday: number }[]
  /** `end` is the column after the last one. */
  months: readonly { text: string; column: number; end: number }[]
  /** Dates from the first to the last, both inclusive. */
  skipped: readonly { column: number; weeks: number; from: string; to: string }[]
}

/** Least number of consecutive weeks without data that share one column. */
const SKIP_WEEKS = 4
/** Columns that a month's name takes up with its year. */
const YEAR_COLUMNS = 3
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export const monthName = (date: string): string => MONTHS[Number(date.slice(5, 7)) - 1]!

/** `days` must ascend without holes. */
export function weeksOf(days: readonly Day[]): Weeks {
  const weeks = Map.groupBy(days, ({ date }) => Math.floor((Date.parse(date) / DAY_MS + WEEKDAY_0) / 7))
  const all = [...weeks.values()]
  const placed: Weeks['days'][number][] = []
  const skipped: Weeks['skipped'][number][] = []
  const starts: { date: string; column: number }[] = []
  let column = 0
  for (let at = 0; at < all.length; ) {
    column++
    const count = missingFrom(all, at)
    if (count >= SKIP_WEEKS) {
      skipped.push({ column, weeks: count, from: all[at]![0]!.date, to: all[at + count - 1]!.at(-1)!.date })
      at += count
      continue
    }
    const isBehindSkipped = skipped.at(-1)?.column === column - 1
    for (const [i, day] of all[at]!.entries()) {
      placed.push({ day, column, weekday: weekdayOf(day.date) })
      if (day.date.endsWith('-01') || (i === 0 && (column === 1 || isBehindSkipped)))
        starts.push({ date: day.date, column })
    }
    at++
  }
  // If two months start in one column, the column shows the later month.
  const shown = starts.filter((each, i) => starts[i + 1]?.column !== each.column)
  const months = shown.map(({ date, column: first }, i) => {
    const gap = skipped.find((each) => each.column > first)?.column ?? Infinity
    const end = Math.min(gap, shown[i + 1]?.column ?? Math.max(column + 1, first + YEAR_COLUMNS))
    const name = monthName(date)
    return { text: end - first < YEAR_COLUMNS ? name : `${name} ${date.slice(0, 4)}`, column: first, end }
  })
  return { days: placed, months, skipped }
}

/** Weekday of 1970-01-01, a Thursday. */
const WEEKDAY_0 = 3

/** Returns the number of whole weeks without data in a row, starting at the week `from`. */
function missingFrom(weeks: readonly (readonly Day[])[], from: number): number {
  let at = from
  while (weeks[at]?.length === 7 && weeks[at]!.every(({ condition }) => condition === 'missing')) at++
  return at - from
}

/** Returns 0 for no records, otherwise 1 to 4 on a logarithmic scale from 1 to `most`, so that a day with a hundredth
 *  of `most` still looks different from an empty day. Returns 3 if the number is unknown (null). */
export function strengthOf(records: number | null, most: number): number {
  if (records === null) return 3
  if (records === 0) return 0
  const share = Math.log(records + 1) / Math.log(most + 1)
  return Math.max(1, Math.min(4, Math.ceil((share - 0.4) / 0.15)))
}

/** Returns the nearest stored day before or after a date; undefined if there is none. */
export function neighbourOf(stored: readonly { date: string }[], date: string, step: -1 | 1): string | undefined {
  const dates = stored.map((day) => day.date)
  return step === 1 ? dates.find((each) => each > date) : dates.findLast((each) => each < date)
}
