// Since when a book is doubtful: from before the first evidence against it to its next snapshot (docs/books.md). Pure.

import type { InferredGap, PartitionHead } from '../../storage/format/partition-head.ts'
import type { BookColumns } from './book-columns.ts'

/** What makes a book doubtful until its next snapshot. */
export type EvidenceReason = Exclude<InferredGap['reason'], 'snapshot_contradicts'>

/** `record` is the place of the evidence in the block. Where it is in an earlier one: -1, or 0 if the last quote of the
 *  book ends before it. `quote` is the number of the quote that shows it; left out where sequence numbers do. */
export type Evidence = { reason: EvidenceReason; fromMs: number; record: number; quote?: number }

/** The one that was found first; if one record gives both, that of its sequence number. */
export const firstEvidence = (ofNumbers: Evidence | null, ofBook: Evidence | null = null): Evidence | null =>
  ofNumbers === null || (ofBook !== null && ofBook.record < ofNumbers.record) ? ofBook : ofNumbers

/** What is known of a book before a block: the time of its last record, -1 without one, and of the last one before the
 *  quote that is open. */
export type BeforeBlock = { lastMs: number; quoteFromMs: number }

/** The place behind the last record of the quote that the records before `end` are of; 0 where it is in an earlier block. */
export function endOfQuote({ operations, books, shapes }: BookColumns, number: number, end: number): number {
  for (let record = end - 1; record >= 0; record--) {
    const { kind } = shapes[operations[record]! >>> 1]!
    if (books[record] === number && (kind === 'delta' || kind === 'snapshot')) return record + 1
  }
  return 0
}

/** The time of the last record of the book before the quote that its records before `end` are of; of a snapshot its
 *  own. Unix ms. */
export function beforeQuote(
  { timesMs, operations, books, shapes }: BookColumns,
  number: number,
  end: number,
  { lastMs, quoteFromMs }: BeforeBlock,
): number {
  let first = -1
  for (let record = end - 1; record >= 0; record--) {
    const operation = operations[record]!
    const { kind } = shapes[operation >>> 1]!
    if (books[record] !== number && (books[record] !== 0 || kind !== 'gap')) continue
    if (first >= 0) return timesMs[record]!
    if (kind === 'snapshot') return timesMs[record]!
    if (kind === 'delta' && (operation & 1) === 1) first = record
  }
  if (first < 0) return quoteFromMs
  return lastMs < 0 ? timesMs[first]! : lastMs
}

/** A stretch in which a book is doubtful, Unix ms; it holds `fromMs` and not `endMs`. */
export type DoubtfulSpan = { fromMs: number; endMs: number }

/** Those of a book by all evidence of a date. One that no snapshot ends has no end. */
export const doubtfulSpans = (
  { books, inferredGaps }: Pick<PartitionHead, 'books' | 'inferredGaps'>,
  id: string,
): DoubtfulSpan[] =>
  inferredGaps
    .filter(({ book }) => books[book - 1]!.id === id)
    .map(({ fromMs, toMs }) => ({ fromMs, endMs: toMs ?? Number.POSITIVE_INFINITY }))
