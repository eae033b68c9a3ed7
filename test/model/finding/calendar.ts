// Answers what is stored of a venue, date by date, and which markets of a date are the busiest. Reads all records.

import { toNumber } from '../exact.ts'
import type { ModelStore, Venue } from '../model.ts'
import { type Trade, tradeOf } from '../questions/trades.ts'
import type { Partition } from '../quotes.ts'
import { marketInfo } from './market-info.ts'

const DAY_MS = 86_400_000

/** The times at which the archives are known to be incomplete; dates are inclusive. */
const INCIDENTS: Record<Venue, [from: string, to: string][]> = {
  kalshi: [
    ['2026-03-31', '2026-04-24'],
    ['2026-05-04', '2026-05-11'],
  ],
  polymarket: [['2026-04-01', '2026-04-30']],
}

/** Counts that are added up over the markets of a date. */
type Counts = {
  records: number
  trades: number
  /** Traded contracts. */
  volume: number
  /** Number of gap records and inferred gaps. */
  gaps: number
  /** Total length of the gaps whose start and end are known, ms. */
  gap_ms: number
  inferred_gaps: number
  snapshots_confirmed: number
  snapshots_contradicted: number
}
type PolymarketCounts = {
  hashes_agreed: number
  hashes_checked: number
  best_prices_agreed: number
  best_prices_checked: number
}
export type CalendarRow = Counts &
  Partial<PolymarketCounts> & { date: string; condition: 'available' | 'degraded' | 'missing'; markets: number }

/** Returns a row per date; `from` and `to` are inclusive and default to the first and last stored date. If only one end
 *  is passed and it is beyond the stored dates, both ends are that date. */
export function calendar(model: ModelStore, venue: Venue, from?: string, to?: string): CalendarRow[] {
  const stored = model
    .markets(venue)
    .flatMap((market) => model.dates(venue, market))
    .sort()
  const known = [...stored, from ?? to].filter((date) => date !== undefined).sort()
  const first = from ?? known[0]
  const last = to ?? known.at(-1)
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
  const gaps = days.flatMap((day) => gapLengths(model, day))
  const trades = days.flatMap(tradesOf)
  const qualities = days.flatMap((day) => qualitiesOf(model, day))
  const total = (count: (quality: DayQuality) => number) => qualities.reduce((sum, each) => sum + count(each), 0)
  const isIncident = INCIDENTS[venue].some(([from, to]) => from <= date && date <= to)
  const ofPolymarket: PolymarketCounts = {
    hashes_agreed: total(({ hashesAgreed }) => hashesAgreed),
    hashes_checked: total(({ hashesChecked }) => hashesChecked),
    best_prices_agreed: total(({ bestPricesAgreed }) => bestPricesAgreed),
    best_prices_checked: total(({ bestPricesChecked }) => bestPricesChecked),
  }
  return {
    date,
    condition: days.length === 0 ? 'missing' : gaps.length > 0 || isIncident ? 'degraded' : 'available',
    markets: days.length,
    records: days.reduce((sum, { partition }) => sum + partition.records.length, 0),
    trades: trades.length,
    volume: toNumber(volumeOf(trades)),
    gaps: gaps.length,
    gap_ms: gaps.reduce((sum, length) => sum + length, 0),
    inferred_gaps: total(({ inferredGaps }) => inferredGaps.length),
    snapshots_confirmed: total(({ snapshotsConfirmed }) => snapshotsConfirmed),
    snapshots_contradicted: total(({ snapshotsContradicted }) => snapshotsContradicted),
    ...(venue === 'polymarket' ? ofPolymarket : {}),
  }
}

type MarketDay = { venue: Venue; market: string; partition: Partition }
type DayQuality = ReturnType<ModelStore['quality']>

/** Returns the markets that have records on the date. */
function daysOf(model: ModelStore, venue: Venue, date: string): MarketDay[] {
  return model.markets(venue).flatMap((market) => {
    const partition = model.partitions(venue, market).find((each) => each.date === date)
    return partition === undefined ? [] : [{ venue, market, partition }]
  })
}

const tradesOf = ({ partition: { records } }: MarketDay): Trade[] => records.flatMap((record) => tradeOf(record) ?? [])
const volumeOf = (trades: Trade[]): bigint => trades.reduce((sum, { size }) => sum + size, 0n)

/** Returns the quality of each book. */
function qualitiesOf(model: ModelStore, { venue, market, partition: { date, records } }: MarketDay): DayQuality[] {
  const books = new Set(records.map(({ book }) => book).filter((book) => book !== null))
  return [...books].map((book) => model.quality(venue, market, date, book))
}

/** Returns the length of each gap, ms; 0 if one of its ends is unknown. */
function gapLengths(model: ModelStore, day: MarketDay): number[] {
  const { records } = day.partition
  const recordedGaps = records.flatMap(({ type, msg }) => (type === 'gap' ? [lengthOf(msg['from'], msg['to'])] : []))
  const inferred = qualitiesOf(model, day).flatMap(({ inferredGaps }) => inferredGaps)
  return [...recordedGaps, ...inferred.map(({ from, to }) => lengthOf(from, to))]
}

const lengthOf = (from: unknown, to: unknown) =>
  typeof from === 'number' && typeof to === 'number' ? Math.max(0, to - from) : 0

export type ActiveRow = {
  market: string
  title: string | null
  records: number
  trades: number
  volume: number
  gaps: number
  gap_ms: number
}

/** Returns the busiest markets first, and equally busy ones by id. With `by: 'market'`, orders all of them by id. */
export function activeMarkets(
  model: ModelStore,
  venue: Venue,
  {
    date,
    by,
    offset,
    limit,
  }: { date: string; by: 'records' | 'trades' | 'volume' | 'market'; offset: number; limit: number },
): ActiveRow[] {
  const markets = daysOf(model, venue, date).map((day) => {
    const trades = tradesOf(day)
    const records = BigInt(day.partition.records.length)
    return { day, records, trades: BigInt(trades.length), volume: volumeOf(trades) }
  })
  const busier = (one: bigint, other: bigint) => (one === other ? 0 : one > other ? -1 : 1)
  return markets
    .sort(
      (one, other) =>
        (by === 'market' ? 0 : busier(one[by], other[by])) || (one.day.market < other.day.market ? -1 : 1),
    )
    .slice(offset, offset + limit)
    .map(({ day, records, trades, volume }) => {
      const { market, partition } = day
      const title = marketInfo(venue, model.metadata.of(venue, market), [partition])?.title ?? null
      const gaps = gapLengths(model, day)
      const counts = { records: Number(records), trades: Number(trades), volume: toNumber(volume) }
      return { market, title, ...counts, gaps: gaps.length, gap_ms: gaps.reduce((sum, length) => sum + length, 0) }
    })
}
