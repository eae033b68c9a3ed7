// Holds the data of one source of a market: only its own records, by date.

import type { HashCounts } from '../book-hashes.ts'
import type { Quality } from '../quality.ts'
import type { Partition } from '../quotes.ts'

/** `source` is null for own recordings. `partitions` are all partitions of the market, by date. */
export type Layer = {
  source: string | null
  partitions: Partition[]
  quality: (date: string, book: string) => Quality & HashCounts
}

/** An interval from `fromMs` up to, but not including, `toMs`, Unix ms. */
export type Interval = { fromMs: number; toMs: number }

const DAY_MS = 86_400_000

export const dayOf = (date: string): Interval => ({ fromMs: Date.parse(date), toMs: Date.parse(date) + DAY_MS })
export const isWithin = ({ fromMs, toMs }: Interval, ms: number): boolean => fromMs <= ms && ms < toMs
export const isDayAfter = (earlier: string, later: string): boolean => dayOf(earlier).toMs === Date.parse(later)

export const partitionAt = (layer: Layer | undefined, date: string): Partition | undefined =>
  layer?.partitions.find((partition) => partition.date === date)
