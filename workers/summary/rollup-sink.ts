// Collects a row for each book and second, as the quotes of the books are completed. The rows come in chunks, and
// each chunk ends where a block ends.

import type { OrderBook } from '../book/order-book.ts'
import { BucketBuilder } from './bucket-builder.ts'
import { BucketColumns } from './bucket-columns.ts'
import { BucketGrid } from './bucket-grid.ts'

const SECONDS = new BucketGrid(1)
const EXPECTED_ROWS = 64
const ALWAYS = { fromMs: 0, toMs: Number.POSITIVE_INFINITY }

/** The index of both arrays is the book number minus 1. `rows` has undefined for a book without rows. `openMs` has the
 *  time of the quote that is open at the end, or -1. */
export type RollupChunk = { rows: (BucketColumns | undefined)[]; openMs: number[] }

export class RollupSink {
  #builders: (BucketBuilder | undefined)[] = []

  quote(book: OrderBook, number: number): void {
    this.#builderOf(number).quote(book)
  }

  gap(book: OrderBook, number: number, timeMs: number): void {
    this.#builderOf(number).gap(book, number, timeMs)
  }

  /** Returns the rows since the last call. The index of `books` is the book number. */
  take(books: (OrderBook | undefined)[]): RollupChunk {
    const rows = Array.from(this.#builders, (builder) => builder?.finish())
    this.#builders = []
    return { rows, openMs: books.slice(1).map((book) => book?.openQuoteMs ?? -1) }
  }

  #builderOf(number: number): BucketBuilder {
    this.#builders[number - 1] ??= new BucketBuilder(SECONDS, ALWAYS, new BucketColumns(EXPECTED_ROWS))
    return this.#builders[number - 1]!
  }
}

/** Joins two consecutive chunks. */
export function joinChunks(one: RollupChunk, other: RollupChunk): RollupChunk {
  const rows = Array.from({ length: Math.max(one.rows.length, other.rows.length) }, (_, book) => {
    const [first, second] = [one.rows[book], other.rows[book]]
    return first === undefined || second === undefined ? (first ?? second) : joinRows([first, second], 1, 1)
  })
  return { rows, openMs: other.openMs }
}

/** Merges the rows of consecutive chunks into buckets of `seconds`. Each bucket has one row, even if two chunks have
 *  rows of it. */
export function joinRows(chunks: (BucketColumns | undefined)[], seconds: 1 | 60, fromSeconds: 1 | 60): BucketColumns {
  const rows = chunks.reduce((sum, chunk) => sum + (chunk?.count ?? 0), 0)
  const builder = new BucketBuilder(new BucketGrid(seconds), ALWAYS, new BucketColumns(rows))
  const grid = new BucketGrid(fromSeconds)
  for (const chunk of chunks) {
    if (chunk === undefined) continue
    for (let row = 0; row < chunk.count; row++) builder.addRow(chunk, row, grid.startMs(chunk.numbers[row]!))
  }
  return builder.finish()
}
