// Finds the spans in which a book is doubtful: from before the first evidence against the book until its next snapshot
// (docs/books.md). Pure.

import type { InferredGap, PartitionHead } from '../../storage/format/partition-head.ts'
import type { BookColumns } from './book-columns.ts'

/** What makes a book doubtful until its next snapshot. */
export type EvidenceReason = Exclude<InferredGap['reason'], 'snapshot_contradicts'>

/** `record` is the index of the evidence in the block. If the evidence is in an earlier block, `record` is 0 if the
 *  book's last quote ends before the evidence, else -1. `quote` is the number of the quote that shows the evidence;
 *  undefined if sequence numbers show it. */
export type Evidence = { reason: EvidenceReason; fromMs: number; record: number; quote?: number }

/** Returns the evidence of the earlier record. If both are of one record, returns that of the sequence numbers. */
export const firstEvidence = (ofNumbers: Evidence | null, ofBook: Evidence | null = null): Evidence | null =>
  ofNumbers === null || (ofBook !== null && ofBook.record < ofNumbers.record) ? ofBook : ofNumbers

/** State of a book before a block. `lastMs` is the time of the book's last record; -1 if there is none. `quoteFromMs`
 *  is the time of the last record before the open quote. */
export type BeforeBlock = { lastMs: number; quoteFromMs: number }

/** Returns the place after the last record of the quote that is open before `end`; 0 if that record is in an earlier
 *  block. */
export function endOfQuote({ operations, books, shapes }: BookColumns, number: number, end: number): number {
  for (let record = end - 1; record >= 0; record--) {
    const { kind } = shapes[operations[record]! >>> 1]!
    if (books[record] === number && (kind === 'delta' || kind === 'snapshot')) return record + 1
  }
  return 0
}

/** Returns the time of the book's last record before its open quote, Unix ms. The open quote is the one that is open
 *  just before record `end`. If a snapshot is part of that quote, returns the time of the snapshot. */
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

/** A time in which a book is doubtful, from `fromMs` inclusive to `endMs` exclusive, Unix ms. */
export type DoubtfulSpan = { fromMs: number; endMs: number }

/** Returns the doubtful spans of a book on a date. If no snapshot ends a span, its `endMs` is infinite. */
export const doubtfulSpans = (
  { books, inferredGaps }: Pick<PartitionHead, 'books' | 'inferredGaps'>,
  id: string,
): DoubtfulSpan[] =>
  inferredGaps
    .filter(({ book }) => books[book - 1]!.id === id)
    .map(({ fromMs, toMs }) => ({ fromMs, endMs: toMs ?? Number.POSITIVE_INFINITY }))
