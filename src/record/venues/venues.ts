// The venues that the recorder knows, by name.

import type { Venue } from '../../../storage/venue.ts'
import type { RecordedVenue } from '../discovery/recorded-venue.ts'
import { KALSHI } from './kalshi/venue.ts'
import { POLYMARKET } from './polymarket/venue.ts'

const venues = { polymarket: POLYMARKET, kalshi: KALSHI }

/** The configuration of each venue; null if record.toml has no section for the venue. */
export type VenueConfigs = {
  readonly [Name in Venue]: Name extends keyof typeof venues
    ? ReturnType<(typeof venues)[Name]['configOf']> | null
    : null
}

export const RECORDED: Readonly<Record<Venue, RecordedVenue>> = venues
