// What the recorders of a partition heard, put together in any order, and the gaps of one that another one covers
// (docs/time-and-order.md).

import type { GapEntry, HeardBook } from '../../storage/format/partition-head.ts'

/** `records` as those of the recorder; without one, of a capture that stands alone. */
export function heardBy(recorder: string | undefined, records: HeardBook[]): HeardBook[] {
  if (recorder !== undefined) return records.map((heard) => ({ recorder, ...heard }))
  // Where no name joins them, a gap of the whole market is one of each of its books.
  const ofMarket = records.find(({ book }) => book === null)?.gapsMs ?? []
  return records.map((heard) => ({ ...heard, gapsMs: [...heard.gapsMs, ...ofMarket] }))
}

/** What is known with what a capture heard. Segments of one recorder go on from each other, any other capture is a
 *  recorder of its own. `known` itself where nothing is new. */
export function heardWith(known: HeardBook[], heard: HeardBook[]): HeardBook[] {
  let all = known
  for (const one of heard) all = withOne(all, one)
  return all === known
    ? known
    : all.toSorted((a, b) => compareText(keyOf(a), keyOf(b)) || compareText(textOf(a), textOf(b)))
}

function withOne(known: HeardBook[], heard: HeardBook): HeardBook[] {
  if (heard.recorder === undefined) {
    // Without a change it covers nothing.
    const isKnown = heard.lastChangeMs === null || known.some((other) => textOf(other) === textOf(heard))
    return isKnown ? known : [...known, sorted(heard)]
  }
  const index = known.findIndex((other) => other.recorder !== undefined && keyOf(other) === keyOf(heard))
  if (index < 0) return [...known, sorted(heard)]
  const joined = join(known[index]!, heard)
  return textOf(joined) === textOf(known[index]!) ? known : known.with(index, joined)
}

const join = (one: HeardBook, other: HeardBook): HeardBook =>
  sorted({
    ...one,
    snapshotsMs: [...one.snapshotsMs, ...other.snapshotsMs],
    goesOnMs: either(Math.min, one.goesOnMs, other.goesOnMs),
    gapsMs: [...one.gapsMs, ...other.gapsMs],
    lastChangeMs: either(Math.max, one.lastChangeMs, other.lastChangeMs),
  })

const sorted = (heard: HeardBook): HeardBook => ({
  ...heard,
  snapshotsMs: ascending(heard.snapshotsMs),
  gapsMs: ascending(heard.gapsMs),
})

const ascending = (times: number[]): number[] => [...new Set(times)].sort((a, b) => a - b)
const either = (choose: (a: number, b: number) => number, one: number | null, other: number | null) =>
  one === null ? other : other === null ? one : choose(one, other)
const keyOf = ({ recorder, book }: HeardBook): string => JSON.stringify([recorder, book])
const textOf = (heard: HeardBook): string => JSON.stringify(sorted(heard))
export const compareText = (a = '', b = ''): number => Number(a > b) - Number(a < b)

/** Whether another recorder heard all that a gap is of. `booksOf` gives the books of the market, for a
 *  gap of the whole market. */
export function isCoveredGap(
  heard: HeardBook[],
  { book, fromMs, toMs }: GapEntry,
  booksOf: () => readonly string[],
): boolean {
  if (fromMs === null || toMs === null) return false
  // A gap that ends before it begins is one of an instant.
  const endMs = Math.max(fromMs, toMs)
  const heardOn = heard.filter((one) => hears(one, heard, fromMs, endMs))
  const books = book === null && heardOn.length > 0 ? booksOf() : [book]
  return books.every((id) => heardOn.some((one) => one.book === id))
}

/** From before `fromMs` to `toMs`. A recorder does not hear its own gaps. */
function hears(one: HeardBook, all: HeardBook[], fromMs: number, toMs: number): boolean {
  const { snapshotsMs, goesOnMs, lastChangeMs } = one
  if (lastChangeMs === null || lastChangeMs < toMs) return false
  const gapsMs = gapsOf(one, all)
  const isHeardFrom = (ms: number) => ms < fromMs && !gapsMs.some((gapMs) => gapMs >= ms && gapMs <= toMs)
  // What goes on without a snapshot was established before; not so behind a gap.
  const goesOn = goesOnMs !== null && gapsMs.every((gapMs) => gapMs > goesOnMs) && isHeardFrom(goesOnMs)
  return goesOn || snapshotsMs.some(isHeardFrom)
}

/** A gap of the whole market may have come before the recorder had a record of the book. */
function gapsOf(one: HeardBook, all: HeardBook[]): number[] {
  if (one.recorder === undefined) return one.gapsMs
  const ofMarket = all.find(({ recorder, book }) => recorder === one.recorder && book === null)
  return [...one.gapsMs, ...(ofMarket?.gapsMs ?? [])]
}
