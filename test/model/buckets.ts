// Buckets of quotes, and their printed form (docs/books.md).

import type { Level, Top } from './book.ts'
import { toNumber } from './exact.ts'
import type { Change } from './quotes.ts'

const DAY_MS = 86_400_000

type Ohlc = { open: number | null; high: number | null; low: number | null; close: number | null }

export type Bucket = {
  timestamp: number
  quote_count: number
  is_forward_filled: boolean
  best_bid: number | null
  best_bid_size: number
  best_ask: number | null
  best_ask_size: number
  mid_price: number | null
  spread: number | null
  best_bid_ohlc: Ohlc
  best_ask_ohlc: Ohlc
  mid_price_ohlc: Ohlc
  spread_ohlc: Ohlc
}

/** An interval from `start` up to, but not including, `end`, Unix ms. */
export type Span = { start: number; end: number }
export type FilledBucket = Span & { quotes: Top[]; close: Top }

/** Returns the buckets of a date, aligned to the start of the day; the last one may be shorter. */
export function bucketSpans(date: string, resolutionSeconds: number): Span[] {
  const dayStart = Date.parse(date)
  const dayEnd = dayStart + DAY_MS
  const spans: Span[] = []
  for (let start = dayStart; start < dayEnd; start += resolutionSeconds * 1_000) {
    spans.push({ start, end: Math.min(start + resolutionSeconds * 1_000, dayEnd) })
  }
  return spans
}

export function fillBuckets(spans: Span[], changes: Change[], opening: Top): FilledBucket[] {
  let close = opening
  let next = 0
  return spans.map((span) => {
    const quotes: Top[] = []
    while (next < changes.length && changes[next]!.time < span.end) {
      const { top, isQuote } = changes[next++]!
      if (isQuote) quotes.push(top)
      close = top
    }
    return { ...span, quotes, close }
  })
}

export function printBucket({ start, quotes, close }: FilledBucket, unitMs: number): Bucket {
  const tops = quotes.length > 0 ? quotes : [close]
  return {
    timestamp: start / unitMs,
    quote_count: quotes.length,
    is_forward_filled: quotes.length === 0,
    best_bid: print(bidOf(close)),
    best_bid_size: sizeOf(close.bid),
    best_ask: print(askOf(close)),
    best_ask_size: sizeOf(close.ask),
    mid_price: print(midOf(close)),
    spread: print(spreadOf(close)),
    best_bid_ohlc: candle(tops.map(bidOf)),
    best_ask_ohlc: candle(tops.map(askOf)),
    mid_price_ohlc: candle(tops.map(midOf)),
    spread_ohlc: candle(tops.map(spreadOf)),
  }
}

const bidOf = ({ bid }: Top) => bid?.price ?? null
const askOf = ({ ask }: Top) => ask?.price ?? null
const midOf = ({ bid, ask }: Top) => (bid && ask ? (bid.price + ask.price) / 2n : null)
const spreadOf = ({ bid, ask }: Top) => (bid && ask ? ask.price - bid.price : null)
const sizeOf = (level: Level | null) => (level === null ? 0 : toNumber(level.size))
const print = (units: bigint | null) => (units === null ? null : toNumber(units))

function candle(values: (bigint | null)[]): Ohlc {
  const known = values.filter((value) => value !== null)
  const first = known[0]
  if (first === undefined) return { open: null, high: null, low: null, close: null }
  const ascending = known.toSorted((a, b) => Number(a - b))
  const low = ascending[0]!
  const high = ascending.at(-1)!
  return { open: toNumber(first), high: toNumber(high), low: toNumber(low), close: toNumber(known.at(-1)!) }
}
