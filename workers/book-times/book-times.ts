// Merges what the recorders of a partition received, in any order, and finds which gaps of one recorder another
// recorder covers (docs/time-and-order.md).

import { type BookTimes, type GapEntry, isRecorded } from '../../storage/format/partition-head.ts'

/** Returns `records` with the name of their recorder. Without a recorder, gives each book the gaps of the whole
 *  market instead. */
export function bookTimesBy(recorder: string | undefined, records: BookTimes[]): BookTimes[] {
  return recorder === undefined ? withMarketGaps(records) : records.map((times) => ({ recorder, ...times }))
}

/** Gives each book the gaps of the whole market: without a recorder name, nothing links a book to the entry of the
 *  market. */
export function withMarketGaps<T extends Omit<BookTimes, 'recorder'>>(records: T[]): T[] {
  const ofMarket = records.find(({ book }) => book === null)?.gapsMs ?? []
  const ofBooks = records.filter(({ book }) => book !== null)
  return ofBooks.map((times) => ({ ...times, gapsMs: [...times.gapsMs, ...ofMarket] }))
}

/** Returns `known` merged with what a capture received. Segments of one recorder continue each other; any other capture
 *  counts as its own recorder. Returns `known` itself if nothing is new. */
export function mergeBookTimes(known: BookTimes[], times: BookTimes[]): BookTimes[] {
  let all = known
  for (const one of times) all = withOne(all, one)
  return all === known
    ? known
    : all.toSorted((a, b) => compareText(keyOf(a), keyOf(b)) || compareText(textOf(a), textOf(b)))
}

function withOne(known: BookTimes[], times: BookTimes): BookTimes[] {
  if (times.recorder === undefined) {
    // An entry without a change covers no gap.
    const isKnown = times.lastChangeMs === null || known.some((other) => textOf(other) === textOf(times))
    return isKnown ? known : [...known, sorted(times)]
  }
  const index = known.findIndex((other) => other.recorder !== undefined && keyOf(other) === keyOf(times))
  if (index < 0) return [...known, sorted(times)]
  const joined = join(known[index]!, times)
  return textOf(joined) === textOf(known[index]!) ? known : known.with(index, joined)
}

const join = (one: BookTimes, other: BookTimes): BookTimes =>
  sorted({
    ...one,
    snapshotsMs: [...one.snapshotsMs, ...other.snapshotsMs],
    goesOnMs: either(Math.min, one.goesOnMs, other.goesOnMs),
    gapsMs: [...one.gapsMs, ...other.gapsMs],
    lastChangeMs: either(Math.max, one.lastChangeMs, other.lastChangeMs),
  })

const sorted = (times: BookTimes): BookTimes => ({
  ...times,
  snapshotsMs: ascending(times.snapshotsMs),
  gapsMs: ascending(times.gapsMs),
})

const ascending = (times: number[]): number[] => [...new Set(times)].sort((a, b) => a - b)
const either = (choose: (a: number, b: number) => number, one: number | null, other: number | null) =>
  one === null ? other : other === null ? one : choose(one, other)
const keyOf = ({ recorder, book }: BookTimes): string => JSON.stringify([recorder, book])
const textOf = (times: BookTimes): string => JSON.stringify(sorted(times))
export const compareText = (a = '', b = ''): number => Number(a > b) - Number(a < b)

/** The times during which one capture received all changes of a book. `book` is null for the whole market. */
export type ReceivedBook = { book: string | null; unbroken: Unbroken[] }

/** Returns when each capture received each book without an interruption. */
export const receivedBooks = (times: BookTimes[]): ReceivedBook[] =>
  times.map((one) => ({ book: one.book, unbroken: unbrokenTimes(one, times) }))

/** Returns whether another recorder received everything that the gap's recorder missed. `booksOf` returns the books of
 *  the market, for a gap of the whole market. */
export function isCoveredGap(
  received: ReceivedBook[],
  { book, fromMs, toMs }: GapEntry,
  booksOf: () => readonly string[],
): boolean {
  if (fromMs === null || toMs === null) return false
  // A gap that ends before it begins covers one instant.
  const endMs = Math.max(fromMs, toMs)
  const covering = received.filter(({ unbroken }) => areCovered(unbroken, fromMs, endMs))
  const books = book === null && covering.length > 0 ? booksOf() : [book]
  return books.every((id) => covering.some((one) => one.book === id))
}

/** A time during which one capture received every change of a book: from `fromMs`, exclusive, to `toMs`, inclusive;
 *  Unix ms. */
export type Unbroken = readonly [fromMs: number, toMs: number]

/** Returns whether one capture received everything from `fromMs` to `toMs`. */
export const areCovered = (times: readonly Unbroken[], fromMs: number, toMs: number): boolean =>
  times.some(([beginMs, endMs]) => beginMs < fromMs && toMs <= endMs)

/** Returns the times during which a capture received every change of a book. The date must have only this book.
 *  Returns none if the date has only one capture: a capture cannot cover its own losses. Returns none if the date has
 *  segments of a recorder: in segments, sequence numbers that step back are no sign of a loss. */
export const unbrokenTimesOf = (times: BookTimes[] = []): Unbroken[] =>
  times.length < 2 || isRecorded(times) ? [] : times.flatMap((one) => unbrokenTimes(one, times))

/** Returns when a capture received every change of a book. Gaps of the capture's recorder interrupt these times. */
function unbrokenTimes(one: BookTimes, all: BookTimes[]): Unbroken[] {
  const { snapshotsMs, goesOnMs, lastChangeMs } = one
  if (lastChangeMs === null) return []
  const gapsMs = gapsOf(one, all).sort((a, b) => a - b)
  // If a capture continues the book without a snapshot, its recorder has the book from earlier, unless a gap came
  // first.
  const continues = goesOnMs !== null && (gapsMs[0] ?? Number.POSITIVE_INFINITY) > goesOnMs
  const begins = [...(continues ? [goesOnMs] : []), ...snapshotsMs].sort((a, b) => a - b)
  let next = 0
  return begins.map((beginMs) => {
    while (next < gapsMs.length && gapsMs[next]! < beginMs) next++
    return [beginMs, Math.min(lastChangeMs, (gapsMs[next] ?? Number.POSITIVE_INFINITY) - 1)]
  })
}

/** Returns the gaps of a book. A gap of the whole market counts even if the recorder had no record of the book yet. */
function gapsOf(one: BookTimes, all: BookTimes[]): number[] {
  if (one.recorder === undefined) return [...one.gapsMs]
  const ofMarket = all.find(({ recorder, book }) => recorder === one.recorder && book === null)
  return [...one.gapsMs, ...(ofMarket?.gapsMs ?? [])]
}
