// What the page shows of each venue, by its name. The API's type of a venue's name says which there must be.

import type { FoundMarket } from '../src/client/backbook.d.ts'
import { KALSHI } from './venues/kalshi.ts'
import { POLYMARKET } from './venues/polymarket.ts'
import type { ShownVenue } from './venues/shown-venue.ts'

export type Venue = FoundMarket['venue']

export const SHOWN: Readonly<Record<Venue, ShownVenue>> = { kalshi: KALSHI, polymarket: POLYMARKET }
