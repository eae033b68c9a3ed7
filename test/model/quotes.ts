// The quotes of one book in one partition, and the book that the days before it leave to a partition.

import { applyRecord, type Book, EMPTY_TOP, type Top, topAfter, unseenBook } from './book.ts'
import type { TimedRecord } from './event-time.ts'

/** The top of the book from a time on. Every change is a quote but for the one that a gap makes. */
export type Change = { time: number; top: Top; isQuote: boolean }

/** The records of one partition, of all books. */
export type Partition = { date: string; records: TimedRecord[] }

// A gap of the whole condition is one of each of its books.
export const recordsOf = (partition: Partition, book: string) =>
  partition.records.filter((record) => record.book === book || (record.type === 'gap' && record.book === null))

/** Applies the records of one book and partition to `book`. */
export const replay = (book: Book, records: TimedRecord[]): Change[] => [...changesOf(book, records)]

/** As `replay`, one change at a time: as long as the next is not asked for, `book` is as this one left it. */
export function* changesOf(book: Book, records: TimedRecord[]): Generator<Change> {
  let lastDelta: TimedRecord | undefined
  const quote = (record: TimedRecord): Change => {
    return { time: record.timestamp, top: topAfter(book, record), isQuote: true }
  }
  for (const record of records) {
    if (record.type !== 'snapshot' && record.type !== 'delta' && record.type !== 'gap') continue
    const continues = record.type === 'delta' && record.quoteNs !== undefined && record.quoteNs === lastDelta?.quoteNs
    if (!continues && lastDelta !== undefined) {
      yield quote(lastDelta)
      lastDelta = undefined
    }
    applyRecord(book, record)
    if (record.type === 'delta') lastDelta = record
    if (record.type === 'snapshot') yield quote(record)
    if (record.type === 'gap') yield { time: record.timestamp, top: EMPTY_TOP, isQuote: false }
  }
  if (lastDelta !== undefined) yield quote(lastDelta)
}

/** The book as the partitions before the one at `index` leave it, whether it is established or not. */
export function bookBefore(partitions: Partition[], index: number, book: string): Book {
  const state = unseenBook()
  for (const partition of partitions.slice(0, index)) {
    for (const record of recordsOf(partition, book)) applyRecord(state, record)
  }
  return state
}

/** The top of the last quote before the partition at `index`: what the venue stated then, if the book was only observed. */
export function topBefore(partitions: Partition[], index: number, book: string): Top {
  const state = unseenBook()
  const changes = partitions.slice(0, index).flatMap((partition) => replay(state, recordsOf(partition, book)))
  return changes.at(-1)?.top ?? EMPTY_TOP
}

/** Whether the partition at `index` continues an established book, so that the book is known from its start. */
export function hasOpeningBook(partitions: Partition[], index: number, book: string): boolean {
  const partition = partitions[index]
  if (partition === undefined || recordsOf(partition, book)[0]?.type === 'snapshot') return false
  return bookBefore(partitions, index, book).trust === 'established'
}
