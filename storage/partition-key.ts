// The key of a partition: one market on one UTC day.

import type { Venue } from './venue.ts'

export type PartitionKey = { venue: Venue; market: string; date: string }
