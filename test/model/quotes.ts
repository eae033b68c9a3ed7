// Finds the quotes of one book in one partition, and the book before a partition, which earlier days determine.

import { applyRecord, type Book, copyOf, EMPTY_TOP, type Top, topAfter, unseenBook } from './book.ts'
import type { TimedRecord } from './event-time.ts'

/** The top of the book from a time on, Unix ms. Every change is a quote, except a gap. */
export type Change = { time: number; top: Top; isQuote: boolean }

/** The records of one partition, of all books. */
export type Partition = { date: string; records: TimedRecord[] }

// A gap of the whole condition is a gap of each of its books.
export const recordsOf = (partition: Partition, book: string) =>
  partition.records.filter((record) => record.book === book || (record.type === 'gap' && record.book === null))

/** A change of the book. `record` is the last record of a quote, or a gap. */
type Step = { record: TimedRecord; isQuote: boolean }

/** Applies the records of one book and partition to `book`. */
export function replay(book: Book, records: TimedRecord[]): Change[] {
  const changes: Change[] = []
  for (const { record, isQuote } of stepsOf(book, records)) {
    changes.push({ time: record.timestamp, top: isQuote ? topAfter(book) : EMPTY_TOP, isQuote })
  }
  return changes
}

/** Works like `replay`, but one change at a time. Until the caller requests the next step, `book` is the book after
 *  the current step. */
export function* stepsOf(book: Book, records: TimedRecord[]): Generator<Step> {
  let lastDelta: TimedRecord | undefined
  for (const record of records) {
    if (record.type !== 'snapshot' && record.type !== 'delta' && record.type !== 'gap') continue
    const continues = record.type === 'delta' && record.quoteNs !== undefined && record.quoteNs === lastDelta?.quoteNs
    if (!continues && lastDelta !== undefined) {
      yield { record: lastDelta, isQuote: true }
      lastDelta = undefined
    }
    applyRecord(book, record)
    if (record.type === 'delta') lastDelta = record
    else yield { record, isQuote: record.type === 'snapshot' }
  }
  if (lastDelta !== undefined) yield { record: lastDelta, isQuote: true }
}

/** The changes of one partition, and its closing book. Cached, since many questions need them. */
type Day = { changes: Change[]; closing: Book }
const days = new WeakMap<Partition[], Map<string, Day[]>>()

function replayedDays(partitions: Partition[], book: string): Day[] {
  const known = days.get(partitions) ?? new Map<string, Day[]>()
  days.set(partitions, known)
  const found = known.get(book)
  if (found !== undefined) return found
  const state = unseenBook()
  const replayed = partitions.map((partition) => {
    return { changes: replay(state, recordsOf(partition, book)), closing: copyOf(state) }
  })
  known.set(book, replayed)
  return replayed
}

export const changesOfDay = (partitions: Partition[], index: number, book: string): Change[] =>
  replayedDays(partitions, book)[index]!.changes

/** Returns the book after all partitions before the one at `index`, whether it is established or not. */
export function bookBefore(partitions: Partition[], index: number, book: string): Book {
  return index === 0 ? unseenBook() : copyOf(replayedDays(partitions, book)[index - 1]!.closing)
}

/** Returns whether a partition before the one at `index` has a snapshot, a change or a gap of the book. */
export const isSeenBefore = (partitions: Partition[], index: number, book: string): boolean =>
  partitions.slice(0, index).some((partition) => stepsOf(unseenBook(), recordsOf(partition, book)).next().done !== true)

/** Returns the top of the last quote before the partition at `index`. For an observed book, this is the top that the
 *  venue stated. */
export function topBefore(partitions: Partition[], index: number, book: string): Top {
  const earlier = replayedDays(partitions, book).slice(0, index)
  return earlier.flatMap(({ changes }) => changes.slice(-1)).at(-1)?.top ?? EMPTY_TOP
}

/** Returns the book that the partition at `index` continues; an unseen book if the partition begins with a snapshot. */
export const continuedBook = (partitions: Partition[], index: number, book: string): Book =>
  beginsWithSnapshot(partitions[index]!, book) ? unseenBook() : bookBefore(partitions, index, book)

/** Returns whether the first snapshot, change or gap of the book is a snapshot. */
export const beginsWithSnapshot = (partition: Partition, book: string) =>
  recordsOf(partition, book).find(({ type }) => ['snapshot', 'delta', 'gap'].includes(type))?.type === 'snapshot'

/** Returns whether the partition at `index` continues an established book, so that the book is known from its start. */
export function hasOpeningBook(partitions: Partition[], index: number, book: string): boolean {
  const partition = partitions[index]
  if (partition === undefined || beginsWithSnapshot(partition, book)) return false
  return bookBefore(partitions, index, book).trust === 'established'
}
