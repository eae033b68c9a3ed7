// Compares the clock of this machine with the times in a venue's messages.

import type { Venue } from '../../../storage/venue.ts'
import { CLOCKS_AGREE_MS } from './recorder-figures.ts'

/** Returns the problem as a sentence; null if the clocks agree. `ageMs` is the smallest age of a message, null if
 *  unknown. */
export function clockProblem(venue: Venue, ageMs: number | null): string | null {
  if (ageMs === null || Math.abs(ageMs) <= CLOCKS_AGREE_MS) return null
  const apart = `${Math.round(Math.abs(ageMs))} ms`
  return ageMs < 0
    ? `The clock of this machine is ${apart} behind that of ${venue}, or more: set it`
    : `The clock of this machine is ${apart} ahead of that of ${venue}, or messages take that long`
}
