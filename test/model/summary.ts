// The order-book summary of a book over a range: which buckets are emitted (docs/books.md).

import { type Bucket, bucketSpans, fillBuckets, printBucket } from './buckets.ts'
import { dateOf } from './event-time.ts'
import { bookBefore, type Change, hasOpeningBook, type Partition, recordsOf, replay, topBefore } from './quotes.ts'

const DAY_MS = 86_400_000
const SECONDS_BELOW = 1e11

/** A date, or both bounds in one unit. */
export type RangeRequest = {
  date?: string | undefined
  startTimestamp?: number | undefined
  endTimestamp?: number | undefined
}

export type SummaryRequest = RangeRequest & {
  resolution: number
  fill: 'observed' | 'none' | 'range'
  nowMs: number
}

/** Inclusive ms. `unitMs` is the unit of the bounds, and so of the answer. */
type Range = { start: number; end: number; unitMs: number }
/** Inclusive ms from where the book is known to where it is no more. */
type Known = { from: number; to: number }

/** `partitions` are all of the market, by date. */
export function summarize(partitions: Partition[], book: string, request: SummaryRequest): Bucket[] {
  const range = rangeOf(request)
  const isLoaded = ({ date }: Partition) => date >= dateOf(range.start) && date <= dateOf(range.end)
  const first = partitions.findIndex(isLoaded)
  if (first < 0) return []
  const loaded = partitions.filter(isLoaded)
  const isKnownAtStart = hasOpeningBook(partitions, first, book)
  const goesOn = hasOpeningBook(partitions, first + loaded.length, book)

  const state = bookBefore(partitions, first, book)
  const openingTop = topBefore(partitions, first, book)
  const changes = loaded.flatMap((partition) => replay(state, recordsOf(partition, book)))
  const known = knownIn(changes, range, isKnownAtStart, goesOn, request)
  if (known === undefined) return []
  const used = changes.filter(({ time }) => time <= range.end)
  const spans = loaded.flatMap(({ date }) => bucketSpans(date, request.resolution))
  return fillBuckets(spans, used, openingTop)
    .filter(({ start, end }) => start >= range.start && start <= range.end && end > known.from && start <= known.to)
    .filter(({ quotes }) => request.fill !== 'none' || quotes.length > 0)
    .map((bucket) => printBucket(bucket, range.unitMs))
}

export function rangeOf({ date, startTimestamp, endTimestamp }: RangeRequest): Range {
  if (date !== undefined) return { start: Date.parse(date), end: Date.parse(date) + DAY_MS - 1, unitMs: 1 }
  if (startTimestamp === undefined || endTimestamp === undefined) throw new Error('Neither a date nor both bounds')
  if (startTimestamp >= SECONDS_BELOW) return { start: startTimestamp, end: endTimestamp, unitMs: 1 }
  return { start: startTimestamp * 1_000, end: endTimestamp * 1_000 + 999, unitMs: 1_000 }
}

function knownIn(
  changes: Change[],
  range: Range,
  isKnownAtStart: boolean,
  goesOn: boolean,
  request: SummaryRequest,
): Known | undefined {
  const quotes = changes.filter(({ isQuote }) => isQuote)
  const from = isKnownAtStart ? range.start : quotes[0]?.time
  if (from === undefined || from > range.end) return undefined
  const lastQuote = quotes.at(-1)?.time ?? Number.NEGATIVE_INFINITY
  const isCarriedOn = goesOn || request.fill === 'range'
  return { from, to: isCarriedOn ? Math.max(lastQuote, Math.min(range.end, request.nowMs)) : lastQuote }
}
