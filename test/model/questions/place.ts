// Lists the records of one book over all dates, each with its place: the record's `offset` in raw data.

import type { TimedRecord } from '../event-time.ts'
import { type Partition, recordsOf } from '../quotes.ts'

/** A record. `place` is its number within the date, counted over the records of all books. */
export type Placed = { record: TimedRecord; date: string; place: number }

/** The end of the records to apply. An instant includes its whole ms; a place includes its record, and all earlier
 *  dates. */
export type Until = { ms: number } | { date: string; place: number }

/** Caches earlier results, because many questions are about the same records. */
const placed = new WeakMap<Partition, Map<string | null, Placed[]>>()

/** Returns the records of one book with their places; those of all books if `book` is null. */
export const placedRecords = (partitions: Partition[], book: string | null): Placed[] =>
  partitions.flatMap((partition) => {
    const known = placed.get(partition) ?? new Map<string | null, Placed[]>()
    placed.set(partition, known)
    const found = known.get(book) ?? placedIn(partition, book)
    known.set(book, found)
    return found
  })

function placedIn(partition: Partition, book: string | null): Placed[] {
  const { date, records } = partition
  const places = new Map(records.map((record, place) => [record, place]))
  const own = book === null ? records : recordsOf(partition, book)
  return own.map((record) => ({ record, date, place: places.get(record)! }))
}

export function isUntil({ record, date, place }: Placed, until: Until): boolean {
  if ('ms' in until) return record.timestamp <= until.ms
  return date < until.date || (date === until.date && place <= until.place)
}
