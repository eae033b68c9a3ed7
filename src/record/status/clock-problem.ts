// What is wrong with the clock of this machine, by the times that a venue prints.

import type { Venue } from '../../../storage/venue.ts'
import { CLOCKS_AGREE_MS } from './recorder-figures.ts'

/** `ageMs` is the least age of a message; null where none is known. Null where the clocks agree. */
export function clockProblem(venue: Venue, ageMs: number | null): string | null {
  if (ageMs === null || Math.abs(ageMs) <= CLOCKS_AGREE_MS) return null
  const apart = `${Math.round(Math.abs(ageMs))} ms`
  return ageMs < 0
    ? `The clock of this machine is ${apart} behind that of ${venue}, or more: set it`
    : `The clock of this machine is ${apart} ahead of that of ${venue}, or messages take that long`
}
