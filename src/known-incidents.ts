// Times at which the archives are known to be incomplete, whatever was loaded. Dates are inclusive.

import type { Venue } from '../storage/venue.ts'

export type Incident = { name: string; from: string; to: string; note: string }

export const KNOWN_INCIDENTS: readonly (Incident & { venue: Venue })[] = [
  {
    venue: 'kalshi',
    name: 'parser_issue',
    from: '2026-03-31',
    to: '2026-04-24',
    note: 'Records can carry null prices: buckets then show a quote_count but no bid, ask, midpoint or spread.',
  },
  {
    venue: 'kalshi',
    name: 'storage_ingestion_gap',
    from: '2026-05-04',
    to: '2026-05-11',
    note: 'Records can be missing, or whole days of them.',
  },
  {
    venue: 'polymarket',
    name: 'capture_gap_windows',
    from: '2026-04-01',
    to: '2026-04-30',
    note: 'Windows of this month were not captured; their exact times are not known.',
  },
]

/** Returns the incidents of a venue on a date. */
export function incidentsOn(venue: Venue, date: string): Incident[] {
  return KNOWN_INCIDENTS.filter((each) => each.venue === venue && each.from <= date && date <= each.to).map(
    ({ name, from, to, note }) => ({ name, from, to, note }),
  )
}
