// Returns the sums of a date after a change of one market, as new values.

import { changeSums, type DaySums, type DayTotals } from '../../../storage/finding/day-totals.ts'

export function changedSums(sums: DaySums, before: DayTotals | null, after: DayTotals | null): DaySums {
  const changed = { ...sums }
  changeSums(changed, before, after)
  return changed
}
