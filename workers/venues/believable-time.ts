// Whether a venue's own time of a record can be believed (docs/time-and-order.md).

import type { RecordKind } from '../../storage/format/shape.ts'
import { DAY_MS } from '../../storage/units.ts'
import type { Venue } from '../../storage/venue.ts'

const VENUES_BEGAN_MS = Date.UTC(2020, 0, 1)
/** A venue time further from the recorder's than this is none. */
export const CLOCKS_APART_MAX_MS = 3_600_000
const STALE_BOOK_MS = 60_000

/** Whether a record's own time is its event time. NaN stands for a time that is not there. */
export function isBelievable(
  venue: Venue,
  kind: RecordKind,
  venueMs: number,
  receivedMs: number,
  loadingMs: number,
): boolean {
  if (!(venueMs >= VENUES_BEGAN_MS && venueMs <= loadingMs + DAY_MS)) return false
  if (Number.isNaN(receivedMs)) return true
  // A Polymarket book tells when the book last changed, which may be long before it was sent.
  if (kind === 'snapshot') return venue !== 'polymarket' || venueMs >= receivedMs - STALE_BOOK_MS
  return Math.abs(venueMs - receivedMs) <= CLOCKS_APART_MAX_MS
}
