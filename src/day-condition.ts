// Decides how reliable the stored data of a venue's date is.

import type { Venue } from '../storage/venue.ts'
import { incidentsOn } from './known-incidents.ts'

export const CONDITIONS = ['available', 'degraded', 'missing'] as const
export type Condition = (typeof CONDITIONS)[number]

/** Returns the condition of a date, and the names of its incidents. `gaps` is the number of gaps, undefined if nothing
 *  is stored. An incident alone also degrades a date. */
export function conditionOf(venue: Venue, date: string, gaps: number | undefined) {
  const incidents = incidentsOn(venue, date).map(({ name }) => name)
  const isDegraded = (gaps ?? 0) > 0 || incidents.length > 0
  const condition: Condition = gaps === undefined ? 'missing' : isDegraded ? 'degraded' : 'available'
  return { condition, incidents }
}
