// Answers the order-book summary of a book over a range, and decides which buckets are emitted (docs/books.md).

import { type Book, EMPTY_TOP, type Top, type Trust, unseenBook } from './book.ts'
import { type Bucket, bucketSpans, type FilledBucket, fillBuckets, printBucket, type Span } from './buckets.ts'
import { dateOf } from './event-time.ts'
import { type ShownTrust, worstTrust } from './questions/bucket-trust.ts'
import type { GapsOfDate } from './questions/doubt.ts'
import {
  beginsWithSnapshot,
  bookBefore,
  type Change,
  changesOfDay,
  hasOpeningBook,
  isSeenBefore,
  type Partition,
  topBefore,
} from './quotes.ts'

const DAY_MS = 86_400_000
const SECONDS_BELOW = 1e11

/** A date, or both bounds, in one unit (s or ms). */
export type RangeRequest = {
  date?: string | undefined
  startTimestamp?: number | undefined
  endTimestamp?: number | undefined
}

export type BucketsRequest = RangeRequest & {
  resolution: number
  fill: 'observed' | 'none' | 'range'
  nowMs: number
}

/** A request. `trust` has the values of trust to return; undefined for all rows. */
export type SummaryRequest = BucketsRequest & { inferredGaps: GapsOfDate; trust?: readonly string[] | undefined }

/** A bucket with the trust of its book. */
export type TrustedBucket = Bucket & { trust: ShownTrust }

/** Inclusive bounds, Unix ms. `unitMs` is the unit of the request's bounds and of the answer's timestamps, ms. */
type Range = { start: number; end: number; unitMs: number }
/** First and last instants at which the book is known, both inclusive, Unix ms. */
type Known = { from: number; to: number }

/** Returns the buckets. `partitions` are all partitions of the market, by date. */
export function summarize(partitions: Partition[], book: string, request: SummaryRequest): TrustedBucket[] {
  const loaded = loadRange(partitions, book, request)
  const worst = worstTrust(loaded, book, request.inferredGaps)
  return emittedBuckets(loaded, request)
    .map((bucket) => ({ ...printBucket(bucket, loaded.range.unitMs), trust: worst(...instantsOf(bucket, loaded)) }))
    .filter(({ trust }) => request.trust?.includes(trust) ?? true)
}

/** Returns the first and the last instant of a bucket within the range, both inclusive. */
export const instantsOf = ({ start, end }: Span, { range }: Pick<LoadedRange, 'range'>): [number, number] => [
  start,
  Math.min(end - 1, range.end),
]

/** The partitions that a range touches, and the changes of a book in them. */
export type LoadedRange = {
  range: Range
  all: Partition[]
  partitions: Partition[]
  /** The book before these partitions; `top` is the top of its last quote. */
  book: Book
  /** Trust at the start of the first of these partitions; null if the book is unknown there. */
  opensWith: Trust | null
  top: Top
  /** All changes in these partitions, also those after the end of the range. */
  changes: Change[]
  /** Undefined if the book is never known. */
  known: Known | undefined
}

export function loadRange(all: Partition[], book: string, request: BucketsRequest): LoadedRange {
  const range = rangeOf(request)
  const isLoaded = ({ date }: Partition) => date >= dateOf(range.start) && date <= dateOf(range.end)
  const partitions = all.filter(isLoaded)
  if (partitions.length === 0) {
    return {
      range,
      all,
      partitions,
      book: unseenBook(),
      opensWith: null,
      top: EMPTY_TOP,
      changes: [],
      known: undefined,
    }
  }
  const first = all.findIndex(isLoaded)
  const changes = partitions.flatMap((_, index) => changesOfDay(all, first + index, book))
  const isKnownAtStart = hasOpeningBook(all, first, book)
  const isContinued = hasOpeningBook(all, first + partitions.length, book)
  const known = knownIn(changes, range, isKnownAtStart, isContinued, request)
  const before = bookBefore(all, first, book)
  const opensWith = isSeenBefore(all, first, book) && !beginsWithSnapshot(all[first]!, book) ? before.trust : null
  return { range, all, partitions, book: before, opensWith, top: topBefore(all, first, book), changes, known }
}

export function emittedBuckets(
  { range, partitions, top, changes, known }: Pick<LoadedRange, 'range' | 'partitions' | 'top' | 'changes' | 'known'>,
  { resolution, fill }: BucketsRequest,
): FilledBucket[] {
  if (known === undefined) return []
  const used = changes.filter(({ time }) => time <= range.end)
  const spans = partitions.flatMap(({ date }) => bucketSpans(date, resolution))
  return fillBuckets(spans, used, top)
    .filter(({ start, end }) => start >= range.start && start <= range.end && end > known.from && start <= known.to)
    .filter(({ quotes }) => fill !== 'none' || quotes.length > 0)
}

export function rangeOf({ date, startTimestamp, endTimestamp }: RangeRequest): Range {
  if (date !== undefined) return { start: Date.parse(date), end: Date.parse(date) + DAY_MS - 1, unitMs: 1 }
  if (startTimestamp === undefined || endTimestamp === undefined) throw new Error('Neither a date nor both bounds')
  if (startTimestamp >= SECONDS_BELOW) return { start: startTimestamp, end: endTimestamp, unitMs: 1 }
  return { start: startTimestamp * 1_000, end: endTimestamp * 1_000 + 999, unitMs: 1_000 }
}

export function knownIn(
  changes: Change[],
  range: Range,
  isKnownAtStart: boolean,
  isContinued: boolean,
  request: BucketsRequest,
): Known | undefined {
  const quotes = changes.filter(({ isQuote }) => isQuote)
  const from = isKnownAtStart ? range.start : quotes[0]?.time
  if (from === undefined || from > range.end) return undefined
  const lastQuote = quotes.at(-1)?.time ?? Number.NEGATIVE_INFINITY
  const isCarriedOn = isContinued || request.fill === 'range'
  return { from, to: isCarriedOn ? Math.max(lastQuote, Math.min(range.end, request.nowMs)) : lastQuote }
}
