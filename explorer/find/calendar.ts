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
