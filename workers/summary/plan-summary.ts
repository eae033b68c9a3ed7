// What a summary has to read, and between which moments its book is known: decided from heads alone, without I/O.

import type { BookEntry, PartitionHead } from '../../storage/format/partition-head.ts'
import { DAY_MS, dateStartMs } from '../../storage/units.ts'
import type { SummaryRequest } from '../requests.ts'
import type { BucketGrid } from './bucket-grid.ts'

export type StoredDay = { date: string; head: PartitionHead }

/** Blocks [fromBlock, toBlock) of a day, then, only while a quote is open, those from toBlock on. */
export type PlannedDay = { day: StoredDay; bookIndex: number; fromBlock: number; toBlock: number }

/** Runs of bucket numbers, both ends inclusive. */
export type BucketRun = { first: number; last: number }

export type SummaryPlan = { days: PlannedDay[]; runs: BucketRun[]; bucketCount: number }

/** `days` are the stored days that the range touches, ascending; `next` is the first stored day after it. */
export function planSummary(
  request: SummaryRequest,
  days: StoredDay[],
  next: StoredDay | undefined,
  grid: BucketGrid,
): SummaryPlan {
  const known = knownSpan(request, days, next)
  const runs = known === undefined ? [] : days.flatMap(({ date }) => bucketRun(request, date, known, grid))
  const bucketCount = runs.reduce((sum, { first, last }) => sum + last - first + 1, 0)
  return { days: days.map((day) => planDay(request, day)), runs, bucketCount }
}

/** From where to where the book is known, before it is clipped to the range; undefined where it never is. */
function knownSpan(
  { book, fromMs, toMs, nowMs, fill }: SummaryRequest,
  days: StoredDay[],
  next: StoredDay | undefined,
): { fromMs: number; toMs: number } | undefined {
  const entries = days.map((day) => entryOf(day, book)).filter((entry) => entry !== undefined)
  const quoted = entries.filter(({ quoteCount }) => quoteCount > 0)
  const firstQuoteMs = quoted[0]?.firstQuoteMs ?? undefined
  const lastQuoteMs = quoted.at(-1)?.lastQuoteMs ?? undefined
  const isOpen = days[0] !== undefined && entryOf(days[0], book)?.startsFrom === 'opening_book'
  const knownFromMs = isOpen ? fromMs : firstQuoteMs
  if (knownFromMs === undefined) return undefined
  const isContinued = next !== undefined && entryOf(next, book)?.startsFrom === 'opening_book'
  if (fill !== 'range' && !isContinued) {
    return lastQuoteMs === undefined ? undefined : { fromMs: knownFromMs, toMs: lastQuoteMs }
  }
  const carriedToMs = Math.min(toMs, nowMs)
  return { fromMs: knownFromMs, toMs: Math.max(carriedToMs, Math.min(lastQuoteMs ?? carriedToMs, toMs)) }
}

function bucketRun(
  { fromMs, toMs }: SummaryRequest,
  date: string,
  known: { fromMs: number; toMs: number },
  grid: BucketGrid,
): BucketRun[] {
  if (known.fromMs > toMs) return []
  const dayMs = dateStartMs(date)
  const first = Math.max(grid.firstFrom(Math.max(fromMs, dayMs)), grid.numberAt(Math.max(known.fromMs, dayMs)))
  const last = grid.numberAt(Math.min(toMs, known.toMs, dayMs + DAY_MS - 1))
  return first <= last ? [{ first, last }] : []
}

// A day is read from the block in which the range begins: that block knows the books at its start.
function planDay({ book, fromMs, toMs }: SummaryRequest, day: StoredDay): PlannedDay {
  const { blocks, books } = day.head
  let fromBlock = 0
  while (fromBlock + 1 < blocks.length && blocks[fromBlock + 1]!.firstMs < fromMs) fromBlock++
  let toBlock = fromBlock
  while (toBlock < blocks.length && blocks[toBlock]!.firstMs <= toMs) toBlock++
  return { day, bookIndex: books.findIndex(({ id }) => id === book), fromBlock, toBlock }
}

function entryOf({ head }: StoredDay, book: string): BookEntry | undefined {
  return head.books.find(({ id }) => id === book)
}
