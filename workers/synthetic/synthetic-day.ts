// A whole UTC day of both venues, made up: the lines a recorder would have written, {"recv_ms":…,"event":…}, in the
// venues' own wire formats. The same options give the same bytes; nothing in it was copied from a venue.

import assert from 'node:assert/strict'
import { dateStartMs, utcDate } from '../../storage/units.ts'
import { gammaEvent } from './gamma-event.ts'
import { kalshiBusyTicker, kalshiDay } from './kalshi-day.ts'
import { polymarketDay } from './polymarket-day.ts'
import { polymarketEventPlan } from './polymarket-event.ts'

export type SyntheticDayOptions = {
  date: string
  seed?: number
  /** About so many lines; the day is the same length with any number, only more or less busy. */
  kalshiRecords?: number
  polymarketRecords?: number
}

export type SyntheticDay = {
  date: string
  /** Made while they are read; reading them again makes the same lines again. Without line ends. */
  kalshiLines: Iterable<string>
  polymarketLines: Iterable<string>
  gammaEvent: object
  /** The market that is busy all day. */
  kalshiTicker: string
  /** The busiest of the event, and its tokens: YES, NO. */
  conditionId: string
  assetIds: [string, string]
  /** Of the event. */
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
    kalshiLines: again(() => kalshiDay({ date, seed, records: kalshiRecords })),
    polymarketLines: again(() => polymarketDay({ date, seed, records: polymarketRecords, event })),
    gammaEvent: gammaEvent(event, date),
    kalshiTicker: kalshiBusyTicker(date),
    conditionId: busiest.conditionId,
    assetIds: busiest.assetIds,
    slug: event.slug,
  }
}

const again = (lines: () => Iterator<string>): Iterable<string> => ({ [Symbol.iterator]: lines })
