// Days as calendars show them: how far each can be relied upon, and where the arrow keys lead from one to another.

import { DAY_MS } from '../state/shown.ts'

const CONDITIONS = ['available', 'degraded', 'missing'] as const
export type Condition = (typeof CONDITIONS)[number]

export type Day = {
  date: string
  condition: Condition
  /** Null where that is not told. */
  records: number | null
  /** What is wrong with it, in words; empty where nothing is. */
  faults: string
}

export const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** All from the first to the last, those that nothing is stored of as missing ones. Ascending, as is given. */
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

/** 0 is Monday. */
export const weekdayOf = (date: string): number => (new Date(date).getUTCDay() + 6) % 7

/** Where a key leads from a day; undefined where it leads nowhere. Weeks stand beside each other, their days below
 *  each other; in a strip all days are in a row. */
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

/** Weeks beside each other: where each day and the name of each month stands, and which weeks are left out. Columns
 *  begin with 1. */
export type Weeks = {
  days: readonly { day: Day; column: number; weekday: number }[]
  /** `end` is the column behind the last. */
  months: readonly { text: string; column: number; end: number }[]
  /** Dates from the first to the last, both inclusive. */
  skipped: readonly { column: number; weeks: number; from: string; to: string }[]
}

/** From this many weeks in a row without data on, they share one column. */
const SKIP_WEEKS = 4
/** How many columns the name of a month takes with its year. */
const YEAR_COLUMNS = 3
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export const monthName = (date: string): string => MONTHS[Number(date.slice(5, 7)) - 1]!

/** `days` are ascending, without a hole. */
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
  // Of two that begin in one column the later one has it.
  const shown = starts.filter((each, i) => starts[i + 1]?.column !== each.column)
  const months = shown.map(({ date, column: first }, i) => {
    const gap = skipped.find((each) => each.column > first)?.column ?? Infinity
    const end = Math.min(gap, shown[i + 1]?.column ?? Math.max(column + 1, first + YEAR_COLUMNS))
    const name = monthName(date)
    return { text: end - first < YEAR_COLUMNS ? name : `${name} ${date.slice(0, 4)}`, column: first, end }
  })
  return { days: placed, months, skipped }
}

/** 1970-01-01 was a Thursday. */
const WEEKDAY_0 = 3

/** Whole weeks without records, from one on. */
function missingFrom(weeks: readonly (readonly Day[])[], from: number): number {
  let at = from
  while (weeks[at]?.length === 7 && weeks[at]!.every(({ condition }) => condition === 'missing')) at++
  return at - from
}

/** 0 for no records, else 1 to 4, by the logarithm: a day with a hundredth of the most still looks unlike one without
 *  records. */
export function strengthOf(records: number | null, most: number): number {
  if (records === null) return 3
  if (records === 0) return 0
  const share = Math.log(records + 1) / Math.log(most + 1)
  return Math.max(1, Math.min(4, Math.ceil((share - 0.4) / 0.15)))
}

/** The nearest stored day before or after a date; undefined where there is none. */
export function neighbourOf(stored: readonly { date: string }[], date: string, step: -1 | 1): string | undefined {
  const dates = stored.map((day) => day.date)
  return step === 1 ? dates.find((each) => each > date) : dates.findLast((each) => each < date)
}
