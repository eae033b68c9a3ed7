// Makes up a whole UTC day of both venues, as the lines {"recv_ms":…,"event":…} that a recorder would have written.
// Events are in the venues' own wire formats. The same options give the same bytes. Nothing was copied from a venue.

import assert from 'node:assert/strict'
import { dateStartMs, utcDate } from '../../storage/units.ts'
import { gammaEvent } from './gamma-event.ts'
import { kalshiBusyTicker, kalshiDay } from './kalshi-day.ts'
import { polymarketDay } from './polymarket-day.ts'
import { polymarketEventPlan } from './polymarket-event.ts'

export type SyntheticDayOptions = {
  date: string
  seed?: number
  /** Approximate number of Kalshi lines. The generated day always has its full length; more lines only make it
   *  busier. */
  kalshiRecords?: number
  polymarketRecords?: number
}

export type SyntheticDay = {
  date: string
  /** Lines without line ends, generated as they are read. Reading them again generates the same lines again. */
  kalshiLines: Iterable<string>
  polymarketLines: Iterable<string>
  gammaEvent: object
  /** The market that is busy all day. */
  kalshiTicker: string
  /** The busiest market of the event, and its tokens: YES, NO. */
  conditionId: string
  assetIds: [string, string]
  /** Slug of the event. */
  slug: string
}

const SEED = 1
const KALSHI_RECORDS = 200_000
const POLYMARKET_RECORDS = 40_000

export function syntheticDay(options: SyntheticDayOptions): SyntheticDay {
  const { date, seed = SEED, kalshiRecords = KALSHI_RECORDS, polymarketRecords = POLYMARKET_RECORDS } = options
  assert(Number.isFinite(dateStartMs(date)) && utcDate(dateStartMs(date)) === date, `not a date: ${date}`)
  const event = polymarketEventPlan(date, seed)
  const busiest = event.markets[0]!
  return {
    date,
    kalshiLines: repeatable(() => kalshiDay({ date, seed, records: kalshiRecords })),
    polymarketLines: repeatable(() => polymarketDay({ date, seed, records: polymarketRecords, event })),
    gammaEvent: gammaEvent(event, date),
    kalshiTicker: kalshiBusyTicker(date),
    conditionId: busiest.conditionId,
    assetIds: busiest.assetIds,
    slug: event.slug,
  }
}

const repeatable = (lines: () => Iterator<string>): Iterable<string> => ({ [Symbol.iterator]: lines })
