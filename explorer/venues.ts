// The explorer's settings for each venue, by the venue's name. The API's type of venue names ensures that no venue is
// missing.

import type { FoundMarket } from '../src/client/backbook.d.ts'
import { KALSHI } from './venues/kalshi.ts'
import { POLYMARKET } from './venues/polymarket.ts'
import type { ShownVenue } from './venues/shown-venue.ts'

export type Venue = FoundMarket['venue']

export const SHOWN: Readonly<Record<Venue, ShownVenue>> = { kalshi: KALSHI, polymarket: POLYMARKET }
