// The books that a model has loaded, and random instants, places and windows for queries about them.

import type { Random } from '../../../workers/synthetic/random.ts'
import type { TimedRecord } from '../../model/event-time.ts'
import type { ModelStore, Venue } from '../../model/model.ts'
import type { Query } from '../../model/questions/model-ask.ts'

const DAY_MS = 86_400_000
const MIN_SECONDS_MS = 1_000

export type StoredDay = { date: string; records: TimedRecord[] }
export type StoredBook = { venue: Venue; market: string; book: string; days: StoredDay[] }

/** Returns each book of each market, with all records of the market's days. */
export function storedBooks(model: ModelStore): StoredBook[] {
  return (['polymarket', 'kalshi'] as const).flatMap((venue) =>
    model.markets(venue).flatMap((market) => {
      const days = model.partitions(venue, market)
      const books = new Set(days.flatMap(({ records }) => records.map((record) => record.book)))
      return [...books].flatMap((book) => (book === null ? [] : [{ venue, market, book, days }]))
    }),
  )
}

export const marketQuery = ({ venue, market }: StoredBook): Query =>
  venue === 'kalshi' ? { ticker: market } : { condition_id: market }
export const bookQuery = (stored: StoredBook): Query =>
  stored.venue === 'kalshi' ? marketQuery(stored) : { ...marketQuery(stored), asset_id: stored.book }

/** Returns a random instant: on, just before or just after a record (more often a gap), at midnight, between records,
 *  or outside of all records. */
export function instantAt({ days }: StoredBook, random: Random): number {
  const { date, records } = random.pick(days)
  const midnight = Date.parse(date)
  const first = days[0]!.records[0]!.timestamp
  const last = days.at(-1)!.records.at(-1)!.timestamp
  const gaps = days.flatMap((day) => day.records.filter(({ type }) => type === 'gap'))
  const kind = random.fraction()
  if (kind < 0.4) return random.pick(records).timestamp + random.between(-1, 1)
  if (kind < 0.5 && gaps.length > 0) return random.pick(gaps).timestamp + random.between(-1, 1)
  if (kind < 0.6) return midnight + random.pick([-1, 0, 1, DAY_MS - 1, DAY_MS])
  if (kind < 0.65) return first - random.pick([1, DAY_MS])
  if (kind < 0.75) return last + random.pick([1, 1_000, DAY_MS, 40 * DAY_MS])
  return random.between(records[0]!.timestamp, records.at(-1)!.timestamp)
}

/** Returns a date and a record number on it. The record may belong to another book. */
export function placeIn({ days }: StoredBook, random: Random): Query {
  const { date, records } = random.pick(days)
  const place = random.chance(0.1) ? random.pick([0, records.length - 1]) : random.below(records.length)
  return { date, record: String(place) }
}

/** Returns a date, or bounds in ms or in seconds. Ranges are short or long, and may be outside the stored days. */
export function rangeIn(stored: StoredBook, random: Random, longestMs = 3 * DAY_MS): Query {
  if (random.chance(0.25)) return { date: random.pick(stored.days).date }
  const start = instantAt(stored, random)
  const end = start + random.below(random.pick([2, 5_000, 600_000, longestMs]))
  return bounds(start, end, random.chance(0.3))
}

export function bounds(startMs: number, endMs: number, inSeconds = false): Query {
  const unit = inSeconds ? MIN_SECONDS_MS : 1
  return { start_timestamp: String(Math.floor(startMs / unit)), end_timestamp: String(Math.floor(endMs / unit)) }
}

/** Returns the finest resolution in seconds that gives the slow model at most `bucketsMax` buckets. */
export function finestFor({ start_timestamp: start, end_timestamp: end }: Query, bucketsMax = 2_000): number {
  const given = start === undefined ? DAY_MS : Number(end) - Number(start)
  const lengthMs = start !== undefined && Number(start) < 1e11 ? given * 1_000 : given
  return Math.max(1, Math.ceil(lengthMs / 1_000 / bucketsMax))
}
