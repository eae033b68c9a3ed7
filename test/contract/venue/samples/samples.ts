// A sample of each venue, by its name.

import type { Venue } from '../../../../storage/venue.ts'
import { KALSHI } from './kalshi.ts'
import { POLYMARKET } from './polymarket.ts'
import type { Sample } from './sample.ts'

export const SAMPLES: Readonly<Record<Venue, Sample>> = { polymarket: POLYMARKET, kalshi: KALSHI }
