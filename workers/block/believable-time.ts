// Decides whether a venue's own time of a record is plausible (docs/time-and-order.md).

import type { RecordKind } from '../../storage/format/shape.ts'
import { DAY_MS } from '../../storage/units.ts'
import type { Venue } from '../../storage/venue.ts'
import { MEANINGS } from '../venues.ts'

const VENUES_BEGAN_MS = Date.UTC(2020, 0, 1)
/** The largest difference between a plausible venue time and the receipt time, ms. */
export const CLOCKS_APART_MAX_MS = 3_600_000
const STALE_BOOK_MS = 60_000

/** Returns whether the venue's time of a record becomes its event time. NaN stands for a missing time. */
export function isBelievable(
  venue: Venue,
  kind: RecordKind,
  venueMs: number,
  receivedMs: number,
  loadingMs: number,
): boolean {
  if (!(venueMs >= VENUES_BEGAN_MS && venueMs <= loadingMs + DAY_MS)) return false
  if (Number.isNaN(receivedMs)) return true
  if (kind === 'snapshot') return !MEANINGS[venue].hasOldSnapshots || venueMs >= receivedMs - STALE_BOOK_MS
  return Math.abs(venueMs - receivedMs) <= CLOCKS_APART_MAX_MS
}
