// The API's description of each venue, by the venue's name.

import { IDENTITIES, VENUES, type Venue } from '../storage/venue.ts'
import type { ApiVenue } from './venues/api-venue.ts'
import { KALSHI } from './venues/kalshi.ts'
import { POLYMARKET } from './venues/polymarket.ts'

const venues = { polymarket: POLYMARKET, kalshi: KALSHI } satisfies Record<Venue, ApiVenue>

export type IdParameter = (typeof venues)[keyof typeof venues]['idParameter']
export const API_VENUES: Readonly<Record<Venue, ApiVenue & { idParameter: IdParameter }>> = venues

/** The venue of examples that could be about any venue. Each of its markets has only one book, so the examples are
 *  short. */
export const EXAMPLE_VENUE = VENUES.find((venue) => !IDENTITIES[venue].hasAssets)!
