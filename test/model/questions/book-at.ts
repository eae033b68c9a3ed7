// Answers the book at an instant, or after a record, from every record of the book up to it, of all dates.

import { applyRecord, type Level, shownAsks, shownBids, type Trust, unseenBook } from '../book.ts'
import { toNumber } from '../exact.ts'
import type { Partition } from '../quotes.ts'
import { doubtfulSpans, type GapsOfDate, isIn } from './doubt.ts'
import { isUntil, placedRecords, type Until } from './place.ts'
import { tickSizeOf } from './tick-size.ts'
import { type TradeRow, tradeRow } from './trades.ts'
import { verify } from './verified.ts'

export type BookRequest = {
  until: Until
  /** Maximum number of levels per side. */
  depth?: number | undefined
  inferredGaps: GapsOfDate
}

export type PrintedLevel = [price: number, size: number]
export type BookAnswer = {
  timestamp: number
  as_of: number | null
  date: string | null
  record: number | null
  trust: Trust | 'doubtful' | 'unknown'
  bids: PrintedLevel[]
  asks: PrintedLevel[]
  last_trade: TradeRow | null
  tick_size: number | null
  verified: boolean | null
}

// Before the first snapshot of a day, and on a day that is not stored, the book is the closing book of the days
// before. In both cases, `as_of` shows the age of the book.
export function bookAt(partitions: Partition[], book: string, { until, depth, inferredGaps }: BookRequest): BookAnswer {
  const applied = placedRecords(partitions, book).filter((placed) => isUntil(placed, until))
  const state = unseenBook()
  for (const { record } of applied) applyRecord(state, record)
  const last = applied.at(-1)
  const tick = tickSizeOf(applied)
  const trades = applied.flatMap((placed) => tradeRow(placed) ?? [])
  const timestamp = 'ms' in until ? until.ms : timeAt(partitions, until.date, until.place)
  const isDoubtful = state.trust !== 'lost' && isIn(doubtfulSpans(partitions, book, inferredGaps), timestamp)
  return {
    timestamp,
    as_of: last?.record.timestamp ?? null,
    date: last?.date ?? null,
    record: last?.place ?? null,
    trust: last === undefined ? 'unknown' : isDoubtful ? 'doubtful' : state.trust,
    bids: printLevels(shownBids(state).slice(0, depth)),
    asks: printLevels(shownAsks(state).slice(0, depth)),
    last_trade: trades.at(-1) ?? null,
    tick_size: tick === undefined ? null : toNumber(tick),
    verified: verify(partitions, book, applied, state),
  }
}

export const printLevels = (levels: Level[]): PrintedLevel[] =>
  levels.map(({ price, size }) => [toNumber(price), toNumber(size)])

/** Returns the time of the record at a place, whichever book the record belongs to. */
function timeAt(partitions: Partition[], date: string, place: number): number {
  const record = partitions.find((partition) => partition.date === date)?.records[place]
  if (record === undefined) throw new Error(`${date} has no record ${place}`)
  return record.timestamp
}
