// Finds when a book is doubtful: within its inferred gaps, and while it continues a doubtful book, or a book from
// before days without data.

import type { InferredGap } from '../quality.ts'
import { beginsWithSnapshot, bookBefore, isSeenBefore, type Partition, recordsOf } from '../quotes.ts'

const DAY_MS = 86_400_000

/** Returns the inferred gaps of a book on a date. */
export type GapsOfDate = (date: string) => InferredGap[]
/** An interval from `from` up to, but not including, `to`, Unix ms. */
type Span = { from: number; to: number }

/** Returns the doubtful times of a book. `partitions` are all partitions of the market. */
export function doubtfulSpans(partitions: Partition[], book: string, gapsOf: GapsOfDate): Span[] {
  return partitions.flatMap(({ date }, index) => {
    const endings = partitions.slice(index + 1).map((_, i) => beginning(partitions, index + 1 + i, book))
    const end = Math.min(Number.POSITIVE_INFINITY, ...endings)
    const spans = gapsOf(date).map(({ from, to }) => ({ from, to: to ?? Number.POSITIVE_INFINITY }))
    if (opensDoubtful(partitions, index, book, gapsOf)) {
      const to = endOfDoubt(partitions[index]!, book) ?? Number.POSITIVE_INFINITY
      spans.push({ from: Date.parse(date), to })
    }
    if (isAfterHole(partitions, index, book))
      spans.push({ from: Date.parse(date), to: beginning(partitions, index, book) })
    return spans.map(({ from, to }) => ({ from, to: Math.min(to, end) }))
  })
}

export const isIn = (spans: Span[], ms: number): boolean => spans.some(({ from, to }) => from <= ms && ms < to)

/** Returns the time from which a partition shows the state of the book. */
function beginning(partitions: Partition[], index: number, book: string): number {
  const partition = partitions[index]!
  const isContinued = isSeenBefore(partitions, index, book) && !beginsWithSnapshot(partition, book)
  const first = recordsOf(partition, book).find(({ type }) => ['snapshot', 'delta', 'gap'].includes(type))
  return isContinued ? Date.parse(partition.date) : (first?.timestamp ?? Number.POSITIVE_INFINITY)
}

/** Returns the time at which a doubt ends: at a snapshot, an agreeing hash, or a gap, after which the book is lost. */
const endOfDoubt = (partition: Partition, book: string): number | undefined =>
  recordsOf(partition, book).find(
    ({ type, hashOutcome }) => type === 'snapshot' || type === 'gap' || hashOutcome === 'agrees',
  )?.timestamp

/** Returns whether the partition at `index` continues a doubtful book. */
function opensDoubtful(partitions: Partition[], index: number, book: string, gapsOf: GapsOfDate): boolean {
  if (!isSeenBefore(partitions, index, book) || beginsWithSnapshot(partitions[index]!, book)) return false
  const { trust } = bookBefore(partitions, index, book)
  if (trust === 'lost') return false
  return isAfterHole(partitions, index, book) || closesDoubtful(partitions, index - 1, book, gapsOf)
}

/** Returns whether the partition at `index` follows days without data, before which the book was established. */
function isAfterHole(partitions: Partition[], index: number, book: string): boolean {
  if (!isSeenBefore(partitions, index, book)) return false
  const isDayBefore = Date.parse(partitions[index - 1]!.date) + DAY_MS === Date.parse(partitions[index]!.date)
  return !isDayBefore && bookBefore(partitions, index, book).trust === 'established'
}

function closesDoubtful(partitions: Partition[], index: number, book: string, gapsOf: GapsOfDate): boolean {
  if (gapsOf(partitions[index]!.date).some(({ to }) => to === null)) return true
  return endOfDoubt(partitions[index]!, book) === undefined && opensDoubtful(partitions, index, book, gapsOf)
}
