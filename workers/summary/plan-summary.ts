// What a summary has to read, and between which moments its book is known: decided from heads alone, without I/O.

import { blockPart, type PartRef, statePart } from '../../storage/block-store.ts'
import type { StoredDay } from '../../storage/catalogue.ts'
import type { BlockEntry, BookEntry } from '../../storage/format/partition-head.ts'
import { DAY_MS, dateStartMs } from '../../storage/units.ts'
import type { SummaryRequest } from '../requests.ts'
import type { BucketGrid } from './bucket-grid.ts'

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

/** What is read: the books that days begin with, and blocks with records of the book. A quote that is open when the
 *  range ends goes on in the blocks after it; as a rule it ends in the first of them, `toEnd` names all. */
export function partsOfSummary({ venue, market }: SummaryRequest, { days }: SummaryPlan, toEnd: boolean): PartRef[] {
  return days.flatMap(({ day: { date, head }, fromBlock, toBlock, bookIndex }, index): PartRef[] => {
    const key = { venue, market, date }
    const start = head.blocks[fromBlock]
    const isMiddle = index === 0 && fromBlock > 0 && start !== undefined
    const first: PartRef = isMiddle ? { key, ...statePart(start.stateId) } : { key, kind: 'books' }
    if (bookIndex < 0) return [first]
    const isOfBook = (block: BlockEntry) => isRead(head, block, bookIndex)
    const after = head.blocks.slice(toBlock).filter(isOfBook)
    const blocks = [...head.blocks.slice(fromBlock, toBlock).filter(isOfBook), ...(toEnd ? after : after.slice(0, 1))]
    return [first, ...blocks.map(({ id }): PartRef => ({ key, ...blockPart(id) }))]
  })
}

/** A gap may be of all books. */
export const isRead = ({ gaps }: StoredDay['head'], block: BlockEntry, bookIndex: number): boolean =>
  gaps.length > 0 || (block.bookRecords[bookIndex] ?? 0) > 0

function entryOf({ head }: StoredDay, book: string): BookEntry | undefined {
  return head.books.find(({ id }) => id === book)
}
