// What is stored of a venue, date by date, and the busiest markets of a date: by a look at everything.

import { toNumber } from '../exact.ts'
import type { ModelStore, Venue } from '../model.ts'
import { tradeOf } from '../questions/trades.ts'
import type { Partition } from '../quotes.ts'

const DAY_MS = 86_400_000

/** The times at which the archives are known to be incomplete; dates are inclusive. */
const INCIDENTS: Record<Venue, [from: string, to: string][]> = {
  kalshi: [
    ['2026-03-31', '2026-04-24'],
    ['2026-05-04', '2026-05-11'],
  ],
  polymarket: [['2026-04-01', '2026-04-30']],
}

export type CalendarRow = {
  date: string
  condition: 'available' | 'degraded' | 'missing'
  markets: number
  records: number
  /** Those that a record tells of, and those that were inferred. */
  gaps: number
  /** Of those of which both ends are known. */
  gap_ms: number
}

/** Both ends inclusive; from the first to the last date that is stored, where they are not given. */
export function calendar(model: ModelStore, venue: Venue, from?: string, to?: string): CalendarRow[] {
  const stored = model
    .markets(venue)
    .flatMap((market) => model.dates(venue, market))
    .sort()
  const first = from ?? stored[0]
  const last = to ?? stored.at(-1)
  return first === undefined || last === undefined
    ? []
    : datesFrom(first, last).map((date) => rowOf(model, venue, date))
}

function datesFrom(first: string, last: string): string[] {
  const count = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1
  return Array.from({ length: Math.max(0, count) }, (_, day) => {
    return new Date(Date.parse(first) + day * DAY_MS).toISOString().slice(0, 10)
  })
}

function rowOf(model: ModelStore, venue: Venue, date: string): CalendarRow {
  const days = daysOf(model, venue, date)
  const lengths = days.flatMap(({ market, partition }) => gapLengths(model, venue, market, partition))
  const isIncident = INCIDENTS[venue].some(([from, to]) => from <= date && date <= to)
  return {
    date,
    condition: days.length === 0 ? 'missing' : lengths.length > 0 || isIncident ? 'degraded' : 'available',
    markets: days.length,
    records: days.reduce((sum, { partition }) => sum + partition.records.length, 0),
    gaps: lengths.length,
    gap_ms: lengths.reduce((sum, length) => sum + length, 0),
  }
}

/** Each market that has the date. */
function daysOf(model: ModelStore, venue: Venue, date: string): { market: string; partition: Partition }[] {
  return model.markets(venue).flatMap((market) => {
    const partition = model.partitions(venue, market).find((each) => each.date === date)
    return partition === undefined ? [] : [{ market, partition }]
  })
}

/** In ms, 0 where an end is not known. */
function gapLengths(model: ModelStore, venue: Venue, market: string, { date, records }: Partition): number[] {
  const told = records.flatMap(({ type, msg }) => (type === 'gap' ? [lengthOf(msg['from'], msg['to'])] : []))
  const books = new Set(records.map(({ book }) => book).filter((book) => book !== null))
  const inferred = [...books].flatMap((book) => model.quality(venue, market, date, book).inferredGaps)
  return [...told, ...inferred.map(({ from, to }) => lengthOf(from, to))]
}

const lengthOf = (from: unknown, to: unknown) =>
  typeof from === 'number' && typeof to === 'number' ? Math.max(0, to - from) : 0

export type ActiveRow = { market: string; records: number; trades: number; volume: number }

/** The busiest first; markets that are equally busy by their ids. */
export function activeMarkets(
  model: ModelStore,
  venue: Venue,
  { date, by, limit }: { date: string; by: 'records' | 'trades' | 'volume'; limit: number },
): ActiveRow[] {
  const markets = daysOf(model, venue, date).map(({ market, partition: { records } }) => {
    const trades = records.flatMap((record) => tradeOf(record) ?? [])
    const volume = trades.reduce((sum, { size }) => sum + size, 0n)
    return { market, records: BigInt(records.length), trades: BigInt(trades.length), volume }
  })
  const busier = (one: bigint, other: bigint) => (one === other ? 0 : one > other ? -1 : 1)
  return markets
    .sort((one, other) => busier(one[by], other[by]) || (one.market < other.market ? -1 : 1))
    .slice(0, limit)
    .map(({ market, records, trades, volume }) => {
      return { market, records: Number(records), trades: Number(trades), volume: toNumber(volume) }
    })
}
