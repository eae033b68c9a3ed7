// Answers trades of one book in buckets: candles, sums, and the average price by volume.

import { bucketSpans } from '../buckets.ts'
import { dateOf } from '../event-time.ts'
import { productToNumber, toNumber } from '../exact.ts'
import type { Partition } from '../quotes.ts'
import { type RangeRequest, rangeOf } from '../summary.ts'
import { type TradeOfBook, tradesOfBook } from './trades.ts'

export type TradeSummaryRequest = RangeRequest & { resolution: number; fill: 'none' | 'range'; nowMs: number }

export type TradeBucket = {
  timestamp: number
  open: number | null
  high: number | null
  low: number | null
  close: number | null
  vwap: number | null
  volume: number
  buy_volume: number
  sell_volume: number
  notional: number
  trade_count: number
  buy_count: number
  sell_count: number
}

// Dates that are not stored have no bucket, even with the fill `range`: it is unknown whether they had trades. No
// bucket begins after now.
export function summarizeTrades(partitions: Partition[], book: string, request: TradeSummaryRequest): TradeBucket[] {
  const range = rangeOf(request)
  const stored = partitions.filter(({ date }) => date >= dateOf(range.start) && date <= dateOf(range.end))
  return stored
    .flatMap((partition) => {
      const trades = tradesOfBook(partition, book).filter(({ time }) => time <= range.end)
      const byStart = Map.groupBy(trades, ({ time }) => bucketStart(partition.date, request.resolution, time))
      const spans = bucketSpans(partition.date, request.resolution)
      return spans.map(({ start }) => ({ start, trades: byStart.get(start) ?? [] }))
    })
    .filter(({ start }) => start >= range.start && start <= range.end)
    .filter(({ start, trades }) => trades.length > 0 || (request.fill === 'range' && start <= request.nowMs))
    .map(({ start, trades }) => printBucket(start / range.unitMs, trades))
}

function bucketStart(date: string, resolutionSeconds: number, time: number): number {
  const dayStart = Date.parse(date)
  return time - ((time - dayStart) % (resolutionSeconds * 1_000))
}

function printBucket(timestamp: number, trades: TradeOfBook[]): TradeBucket {
  const ascending = trades.map(({ price }) => price).sort((one, other) => (one < other ? -1 : 1))
  const bought = trades.filter(({ side }) => side === 'buy')
  const sold = trades.filter(({ side }) => side === 'sell')
  const volume = volumeOf(trades)
  const notional = productToNumber(trades.reduce((sum, { price, size }) => sum + price * size, 0n))
  return {
    timestamp,
    open: price(trades[0]?.price),
    high: price(ascending.at(-1)),
    low: price(ascending[0]),
    close: price(trades.at(-1)?.price),
    vwap: volume === 0 ? null : notional / volume,
    volume,
    buy_volume: volumeOf(bought),
    sell_volume: volumeOf(sold),
    notional,
    trade_count: trades.length,
    buy_count: bought.length,
    sell_count: sold.length,
  }
}

const price = (units: bigint | undefined) => (units === undefined ? null : toNumber(units))
const volumeOf = (trades: TradeOfBook[]) => toNumber(trades.reduce((sum, { size }) => sum + size, 0n))
