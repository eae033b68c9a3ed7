// Sums the API's hourly request counts of a user by day.

import { DAY_MS } from '../state/shown.ts'

export type UsedDay = { date: string; count: number }

/** Returns the last `days` days up to today, including those without requests. */
export function usedDays(hours: readonly { hour: string; count: number }[], days: number, nowMs: number): UsedDay[] {
  const counts = new Map<string, number>()
  for (const { hour, count } of hours) {
    const date = hour.slice(0, 10)
    counts.set(date, (counts.get(date) ?? 0) + count)
  }
  return Array.from({ length: days }, (_, index) => {
    const date = new Date(nowMs - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10)
    return { date, count: counts.get(date) ?? 0 }
  })
}
