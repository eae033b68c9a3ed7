// Finds the days on which both books were recorded.

import type { StoredDates } from '../state/shown.ts'

/** Returns the dates on which both books were recorded. Each reaches from the first record of either book on that date
 *  to the last one. Returns null while either book's dates are unknown. */
export function commonDates(first: StoredDates | null, second: StoredDates | null): StoredDates | null {
  if (first === null || second === null) return null
  return first.flatMap((a) => {
    const b = second.find(({ date }) => date === a.date)
    if (b === undefined) return []
    return {
      date: a.date,
      first_timestamp: Math.min(a.first_timestamp, b.first_timestamp),
      last_timestamp: Math.max(a.last_timestamp, b.last_timestamp),
    }
  })
}
