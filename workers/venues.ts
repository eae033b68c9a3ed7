// The meaning of each venue's messages and metadata, by its name.

import { VENUES, type Venue } from '../storage/venue.ts'
import { KALSHI } from './venues/kalshi/venue.ts'
import type { Meaning } from './venues/meaning.ts'
import { POLYMARKET } from './venues/polymarket/venue.ts'

export const MEANINGS: Readonly<Record<Venue, Meaning>> = { polymarket: POLYMARKET, kalshi: KALSHI }

/** Returns the first answer of a venue; undefined if none has one. */
export function ofVenues<T>(ask: (meaning: Meaning) => T | undefined): T | undefined {
  for (const venue of VENUES) {
    const answer = ask(MEANINGS[venue])
    if (answer !== undefined) return answer
  }
  return undefined
}
