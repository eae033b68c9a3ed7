// Units of time and money. Times are UTC milliseconds, prices integers of 1e-6 dollars, sizes integers of 1e-6
// contracts; a date is a UTC day written YYYY-MM-DD.

export const SECOND_MS = 1_000
export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000
export const NS_PER_MS = 1_000_000n

/** Units of price or size in one dollar or one contract. */
export const MICROS = 1_000_000

/** Returns the UTC date of an instant. */
export function utcDate(timestampMs: number): string {
  return new Date(timestampMs).toISOString().slice(0, 10)
}

/** Returns the first millisecond of a UTC date. */
export function dateStartMs(date: string): number {
  return Date.parse(`${date}T00:00:00.000Z`)
}

/** Whether `next` is the day after `date`. */
export const isDayAfter = (date: string, next: string): boolean => dateStartMs(date) + DAY_MS === dateStartMs(next)
