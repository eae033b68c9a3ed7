// Orders the records of a date as they are shown, and finds the places where books start from a new state.
//
// Where the contract leaves room:
// - A switch is before all records of its ms, whichever layer they are from.
// - There is a switch wherever the source changes. The start of a date is compared with the last span of the stored
//   date before it; the first stored date has no switch at its start.
// - The switch has the books of the new layer's date at that ms: the books that the date continues, also observed and
//   lost ones, with the records before that ms applied. A book whose first record on the date is a later snapshot is
//   unknown, and so is a book without a record in the layer.
// - The trust of a book is the trust in its layer at that ms, from all evidence of the layer, also outside its spans.

import { applyRecord, type Book } from '../book.ts'
import type { TimedRecord } from '../event-time.ts'
import type { ShownTrust } from '../questions/bucket-trust.ts'
import { doubtfulSpans, isIn } from '../questions/doubt.ts'
import { beginsWithSnapshot, continuedBook, isSeenBefore, recordsOf } from '../quotes.ts'
import { isWithin, type Layer, partitionAt } from './layer.ts'
import { type Span, sourceAt } from './spans.ts'

/** A record shown. `isPassedOver` marks an own record in an archive's span, which is listed but has no other effect. */
export type ShownRecord = { record: TimedRecord; source: string | null; isPassedOver: boolean }

export type TrustedBook = { book: Book; trust: ShownTrust }
/** A switch before the record at `place`. Books that are not in `books` are unknown after it. */
export type Switch = { source: string | null; atMs: number; place: number; books: Map<string, TrustedBook> }

export type ShownDate = { date: string; spans: Span[]; records: ShownRecord[]; switches: Switch[] }

export function shownRecords(layers: Layer[], date: string, spans: Span[]): ShownRecord[] {
  const recordsIn = (source: string | null) =>
    partitionAt(
      layers.find((layer) => layer.source === source),
      date,
    )?.records ?? []
  const own = recordsIn(null).map((record): ShownRecord => {
    return { record, source: null, isPassedOver: sourceAt(spans, record.timestamp) !== null }
  })
  const others = spans.flatMap((span) =>
    (span.source === null ? [] : recordsIn(span.source))
      .filter(({ timestamp }) => isWithin(span, timestamp))
      .map((record): ShownRecord => ({ record, source: span.source, isPassedOver: false })),
  )
  // Sorting is stable: own records come first in their ms.
  return [...own, ...others].sort((one, other) => one.record.timestamp - other.record.timestamp)
}

/** Returns the switches of a date. `before` is the source shown last before the date; undefined if there was none. */
export function switchesOf(
  layers: Layer[],
  date: string,
  spans: Span[],
  records: ShownRecord[],
  before: string | null | undefined,
): Switch[] {
  return spans.flatMap(({ source, fromMs }, index) => {
    const previous = index === 0 ? before : spans[index - 1]!.source
    if (previous === undefined || previous === source) return []
    const found = records.findIndex(({ record }) => record.timestamp >= fromMs)
    const place = found < 0 ? records.length : found
    const layer = layers.find((each) => each.source === source)
    return [{ source, atMs: fromMs, place, books: booksAt(layer, date, fromMs) }]
  })
}

/** Returns the books of a layer's date after all its records before `ms`. */
export function booksAt(layer: Layer | undefined, date: string, ms: number): Map<string, TrustedBook> {
  const books = new Map<string, TrustedBook>()
  const partitions = layer?.partitions ?? []
  const index = partitions.findIndex((partition) => partition.date === date)
  if (layer === undefined || index < 0) return books
  const names = new Set(
    partitions.slice(0, index + 1).flatMap(({ records }) => records.flatMap(({ book }) => book ?? [])),
  )
  for (const name of names) {
    const records = recordsOf(partitions[index]!, name).filter(
      ({ type, timestamp }) => timestamp < ms && ['snapshot', 'delta', 'gap'].includes(type),
    )
    const isContinued = isSeenBefore(partitions, index, name) && !beginsWithSnapshot(partitions[index]!, name)
    if (!isContinued && records.length === 0) continue
    const book = continuedBook(partitions, index, name)
    for (const record of records) applyRecord(book, record)
    books.set(name, { book, trust: trustAt(layer, name, book, ms) })
  }
  return books
}

/** Returns the trust of a known or lost book. */
export function trustAt(layer: Layer, name: string, { trust }: Book, ms: number): ShownTrust {
  if (trust === 'lost') return trust
  return isIn(doubtfulSpans(layer.partitions, name, inferredGaps(layer, name)), ms) ? 'doubtful' : trust
}

export const inferredGaps = (layer: Layer, name: string) => (date: string) => layer.quality(date, name).inferredGaps
