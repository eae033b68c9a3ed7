// Buckets of a planned summary: reads its blocks one after the other and replays the one book asked for.

import { blockPart, type Parts, statePart } from '../../storage/block-store.ts'
import { readingOf } from '../../storage/damage.ts'
import { decodeBlock } from '../../storage/format/block.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { bookColumns } from '../book/book-columns.ts'
import { bookOf, decodeBooks } from '../book/book-state.ts'
import { NO_TOP, OrderBook } from '../book/order-book.ts'
import { finishReplay, replayBlock } from '../book/replay.ts'
import type { SummaryRequest } from '../requests.ts'
import { BucketBuilder } from './bucket-builder.ts'
import type { BucketColumns } from './bucket-columns.ts'
import type { BucketGrid } from './bucket-grid.ts'
import { takeColumns } from './column-pool.ts'
import { isRead, type PlannedDay, type SummaryPlan } from './plan-summary.ts'

/** The columns may be given back to the pool. Throws DataError('block_corrupt'). */
export function summarize(parts: Parts, request: SummaryRequest, plan: SummaryPlan, grid: BucketGrid): BucketColumns {
  const builder = new BucketBuilder(grid, request.fromMs, request.toMs, takeColumns(expectedBuckets(request, plan)))
  const first = plan.days[0]
  let book = first === undefined ? new OrderBook() : startingBook(parts, request, first)
  const top = { ...NO_TOP }
  book.readTop(top)
  builder.begin(top)
  for (const planned of plan.days) {
    // The day before may not be the one asked for: what this day opens with is right in either case.
    if (planned !== first) book = openingBook(parts, keyOf(request, planned.day.date), request.book) ?? book
    replayDay(parts, request, planned, book, builder)
  }
  return builder.finish()
}

/** Of those that columns are kept for: no more than are planned, than the book has quotes, or one for each gap. */
function expectedBuckets({ book }: SummaryRequest, { days, bucketCount }: SummaryPlan): number {
  const changes = days.reduce((sum, { day: { head } }) => {
    const quotes = head.books.find(({ id }) => id === book)?.quoteCount ?? 0
    return sum + quotes + head.gaps.length
  }, 0)
  return 1 + Math.min(changes, bucketCount)
}

function replayDay(
  parts: Parts,
  request: SummaryRequest,
  { day, bookIndex, fromBlock, toBlock }: PlannedDay,
  book: OrderBook,
  builder: BucketBuilder,
): void {
  if (bookIndex < 0) return
  const key = keyOf(request, day.date)
  const books: (OrderBook | undefined)[] = []
  books[bookIndex + 1] = book
  const { blocks } = day.head
  const isOpen = () => book.openQuoteMs >= 0 && book.openQuoteMs <= request.toMs
  for (let index = fromBlock; index < blocks.length && (index < toBlock || isOpen()); index++) {
    const entry = blocks[index]!
    if (!isRead(day.head, entry, bookIndex)) continue
    const columns = readingOf(key, `block ${index}`, () =>
      bookColumns(decodeBlock(parts.bytes(key, blockPart(entry.id)))),
    )
    replayBlock(columns, books, builder)
  }
  finishReplay(books, builder)
}

function startingBook(parts: Parts, request: SummaryRequest, { day, fromBlock }: PlannedDay): OrderBook {
  const key = keyOf(request, day.date)
  return readingOf(key, `state ${fromBlock}`, () => {
    if (fromBlock === 0) return openingBook(parts, key, request.book) ?? new OrderBook()
    const state = parts.bytes(key, statePart(day.head.blocks[fromBlock]!.stateId))
    return bookIn(state, request.book) ?? new OrderBook()
  })
}

function openingBook(parts: Parts, key: PartitionKey, id: string): OrderBook | undefined {
  const { opening } = parts.books(key)
  return opening === null ? undefined : bookIn(opening, id)
}

function bookIn(bytes: Uint8Array, id: string): OrderBook | undefined {
  return bookOf(decodeBooks(bytes), id)
}

const keyOf = ({ venue, market }: SummaryRequest, date: string): PartitionKey => ({ venue, market, date })
