// Periods for which the archives are known to be incomplete, even if all files are loaded. Dates are inclusive.

import { VENUES, type Venue } from '../storage/venue.ts'
import type { Incident } from './venues/api-venue.ts'
import { API_VENUES } from './venues.ts'

export const KNOWN_INCIDENTS: readonly (Incident & { venue: Venue })[] = VENUES.toSorted().flatMap((venue) =>
  API_VENUES[venue].incidents.map((incident) => ({ venue, ...incident })),
)

/** Returns the incidents of a venue on a date. */
export function incidentsOn(venue: Venue, date: string): Incident[] {
  return KNOWN_INCIDENTS.filter((each) => each.venue === venue && each.from <= date && date <= each.to).map(
    ({ name, from, to, note }) => ({ name, from, to, note }),
  )
}
