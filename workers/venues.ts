// The meaning of each venue's messages and metadata, by the name of the venue.

import { VENUES, type Venue } from '../storage/venue.ts'
import { KALSHI } from './venues/kalshi/venue.ts'
import type { Meaning } from './venues/meaning.ts'
import { POLYMARKET } from './venues/polymarket/venue.ts'

export const MEANINGS: Readonly<Record<Venue, Meaning>> = { polymarket: POLYMARKET, kalshi: KALSHI }

/** Calls `ask` for each venue, and returns the first answer that is not undefined. Returns undefined if there is
 *  none. */
export function ofVenues<T>(ask: (meaning: Meaning) => T | undefined): T | undefined {
  for (const venue of VENUES) {
    const answer = ask(MEANINGS[venue])
    if (answer !== undefined) return answer
  }
  return undefined
}
