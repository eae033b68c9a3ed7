// Finds when a layer knows at least one book of its market (section 15 of the contract: own spans, and holes).
//
// Where the contract leaves room:
// - The same rule says when own recordings and archives know a book. So an archive that ends in the morning, or begins
//   in the evening, does not fill a hole in the afternoon.
// - An interval ends before `toMs`. The first and the last record of a layer are in no hole: the time after the last
//   one begins 1 ms after it.
// - A gap begins at its `from`, even if it is longer than an hour, so that its event time is its end, or if records
//   stored before it have later times. A hole belongs to the date of the record that reports it. Earlier dates do not
//   change, as with inferred gaps.
// - If several gaps end one book each, the hole is the time in which all of them hold.
// - The hole of a gap ends with the first snapshot, or with a change of a book that is not lost: the layer knows a book
//   from then on.
// - A change of a lost book makes no book known, so it also does not end the unknown time at the start of a date.
// - If a layer has no data of the day before, a book of an older date prevents no hole until the layer has a record
//   of this book again, also on later dates.
// - A date has no hole at its end if the own recordings of the next day have an opening book from it.

import { dateOf, type TimedRecord } from '../event-time.ts'
import { hasOpeningBook, type Partition } from '../quotes.ts'
import { dayOf, type Interval, isDayAfter } from './layer.ts'

/** Returns the unknown intervals of a date in time order. No interval touches the next one. */
export function unknownTimes(partitions: Partition[], date: string): Interval[] {
  const day = dayOf(date)
  const index = partitions.findIndex((partition) => partition.date === date)
  const records = partitions[index]?.records ?? []
  if (!records.some(isBookRecord)) return [day]
  const { days, gaps } = followBooks(partitions)
  const unknown = [...gaps]
  if (days[index]!.openingBooks.length === 0) unknown.push({ ...day, toMs: days[index]!.firstKnownMs })
  const next = partitions[index + 1]
  const isContinued = next !== undefined && isDayAfter(date, next.date) && days[index + 1]!.openingBooks.length > 0
  if (!isContinued) unknown.push({ ...day, fromMs: records.at(-1)!.timestamp + 1 })
  return united(unknown.map((interval) => intersection(interval, day)))
}

export function knownTimes(partitions: Partition[], date: string): Interval[] {
  const day = dayOf(date)
  const unknown = unknownTimes(partitions, date)
  const starts = [day.fromMs, ...unknown.map(({ toMs }) => toMs)]
  const ends = [...unknown.map(({ fromMs }) => fromMs), day.toMs]
  return starts.map((fromMs, i) => ({ fromMs, toMs: ends[i]! })).filter(isTime)
}

export const intersection = (one: Interval, other: Interval): Interval => ({
  fromMs: Math.max(one.fromMs, other.fromMs),
  toMs: Math.min(one.toMs, other.toMs),
})

export const isTime = ({ fromMs, toMs }: Interval): boolean => fromMs < toMs

function united(intervals: Interval[]): Interval[] {
  const found: Interval[] = []
  for (const interval of intervals.filter(isTime).sort((one, other) => one.fromMs - other.fromMs)) {
    const last = found.at(-1)
    if (last !== undefined && interval.fromMs <= last.toMs) last.toMs = Math.max(last.toMs, interval.toMs)
    else found.push({ ...interval })
  }
  return found
}

const isBookRecord = ({ type }: TimedRecord): boolean => type === 'snapshot' || type === 'delta'

/** `openingBooks` are known from the start of the date. `firstKnownMs` is the time at which a record first makes a book
 *  known. */
type Day = { openingBooks: string[]; firstKnownMs: number }

/** Returns the days of a layer, and the holes that its gaps make. */
function followBooks(partitions: Partition[]): { days: Day[]; gaps: Interval[] } {
  const books = new KnownBooks()
  const days = partitions.map(({ date, records }, index): Day => {
    const before = partitions[index - 1]
    const isNext = before !== undefined && isDayAfter(before.date, date)
    books.keepOnly((book) => isNext && hasOpeningBook(partitions, index, book))
    const openingBooks = [...books.known]
    let firstKnownMs = Number.POSITIVE_INFINITY
    for (const record of records) {
      if (books.apply(record)) firstKnownMs = Math.min(firstKnownMs, record.timestamp)
    }
    return { openingBooks, firstKnownMs }
  })
  return { days, gaps: books.gaps }
}

class KnownBooks {
  readonly known = new Set<string>()
  /** The holes of gaps. The last one has no end until a snapshot comes. */
  readonly gaps: Interval[] = []
  /** For each book that was known until a gap, the start of the gap, Unix ms. */
  readonly #lostFrom = new Map<string, number>()
  /** Whether each named book is lost; `#isRestLost` has the value for all other books. */
  readonly #isLost = new Map<string, boolean>()
  #isRestLost = false
  keepOnly(isKept: (book: string) => boolean): void {
    for (const book of [...this.known]) if (!isKept(book)) this.known.delete(book)
  }

  /** Applies a record. Returns whether it makes its book known, or shows that the book is known. */
  apply(record: TimedRecord): boolean {
    const { type, book, timestamp } = record
    if (type === 'gap') this.#lose(record)
    if (book === null || !isBookRecord(record)) return false
    if (type === 'delta' && (this.#isLost.get(book) ?? this.#isRestLost)) return false
    this.known.add(book)
    const gap = this.gaps.at(-1)
    if (gap !== undefined) gap.toMs = Math.min(gap.toMs, timestamp)
    if (type === 'delta') return true
    this.#isLost.set(book, false)
    this.#lostFrom.delete(book)
    return true
  }

  #lose(gap: TimedRecord): void {
    if (gap.book === null) {
      this.#isLost.clear()
      this.#isRestLost = true
    } else this.#isLost.set(gap.book, true)
    const lost = [...this.known].filter((book) => gap.book === null || gap.book === book)
    for (const book of lost) {
      this.known.delete(book)
      this.#lostFrom.set(book, beginOf(gap))
    }
    const isOpen = this.gaps.at(-1)?.toMs === Number.POSITIVE_INFINITY
    if (lost.length === 0 || this.known.size > 0 || isOpen) return
    const { fromMs: dayMs } = dayOf(dateOf(gap.timestamp))
    const fromMs = Math.max(dayMs, ...this.#lostFrom.values())
    this.gaps.push({ fromMs, toMs: Number.POSITIVE_INFINITY })
  }
}

/** Returns the start of a gap; its event time if the start is unreadable. */
function beginOf({ timestamp, msg: { from } }: TimedRecord): number {
  return typeof from === 'number' ? Math.min(Math.floor(from), timestamp) : timestamp
}
