// When the user's own recording of a book is without a gap, as heads of its days say it: an import leaves out what an
// archive has of these times. Pure.

import type { StoredDay } from '../../storage/catalogue.ts'
import type { BlockEntry, BookEntry, PartitionHead } from '../../storage/format/partition-head.ts'
import { DAY_MS, dateStartMs } from '../../storage/units.ts'

/** Both ends belong to it. */
export type TimeRange = { fromMs: number; toMs: number }

/** What a recording may be of, and lack altogether: trades, and all that is said of a book itself. */
export const OWN_KINDS = ['trade', 'book'] as const
export type OwnKind = (typeof OWN_KINDS)[number]
export type OwnTimes = Record<OwnKind, TimeRange[]>

/** Of each book of a market that there are own records of: ascending, none touches another. Of trades days count on
 *  which the market has own ones, for the book those on which it has own records that are none. `days` are all of the
 *  market, ascending. */
export function ownTimes(days: readonly StoredDay[]): Map<string, OwnTimes> {
  const ids = new Set(days.flatMap(({ head }) => head.books.map(({ id }) => id)))
  const times = new Map<string, OwnTimes>()
  const withTrades = days.filter(({ head }) => hasOwnTrades(head))
  for (const id of ids) {
    const gaps = gapsOf(days, id)
    const withBook = days.filter(({ head }) => ownCounts(head, indexOf(head, id)).book > 0)
    times.set(id, {
      trade: withoutGaps(recordedTimes(withTrades, id), gaps),
      book: withoutGaps(recordedTimes(withBook, id), gaps),
    })
  }
  return times
}

/** Some may name no book. */
const hasOwnTrades = (head: PartitionHead): boolean =>
  [NO_BOOK, ...head.books.keys()].some((index) => ownCounts(head, index).trade > 0)

/** Ranges ascend and do not touch: the first that ends at the time or behind it is the only one that may hold it. */
export function isOwnTime(times: readonly TimeRange[], timeMs: number): boolean {
  let low = 0
  for (let high = times.length; low < high; ) {
    const middle = (low + high) >>> 1
    if (times[middle]!.toMs < timeMs) low = middle + 1
    else high = middle
  }
  return low < times.length && times[low]!.fromMs <= timeMs
}

/** Own records of the book at this index. Trades that cannot be read may count as its other records. */
function ownCounts({ blocks }: PartitionHead, index: number): Record<OwnKind, number> {
  const counts = { trade: 0, book: 0 }
  for (const { origins, bookRecords, tradeCounts } of blocks) {
    const [records, trades] =
      origins === undefined
        ? [bookRecords[index] ?? 0, tradeCounts[index + 1] ?? 0]
        : [origins.own[index + 1]?.[0] ?? 0, origins.own[index + 1]?.[3] ?? 0]
    counts.trade += trades
    counts.book += records - trades
  }
  return counts
}

const NO_BOOK = -1

const indexOf = ({ books }: PartitionHead, id: string): number => books.findIndex((book) => book.id === id)

/** From the first to the last own record of each day; of days that follow one another as one, where the second goes on
 *  with the book of the first, and no record of an archive stands between. */
function recordedTimes(days: readonly StoredDay[], id: string): TimeRange[] {
  const times: TimeRange[] = []
  let before: { date: string; isLast: boolean } | undefined
  for (const { date, head } of days) {
    const index = indexOf(head, id)
    const own = index < 0 ? undefined : ownRecords(head, index)
    if (own === undefined) continue
    const { startsFrom, firstQuoteMs, lastQuoteMs } = head.books[index]!
    const isNext = before?.isLast === true && dateStartMs(date) - dateStartMs(before.date) === DAY_MS
    const isFirst = own.fromMs <= (firstQuoteMs ?? own.fromMs)
    if (isNext && isFirst && startsFrom === 'opening_book') times.at(-1)!.toMs = own.toMs
    else times.push(own)
    before = { date, isLast: own.toMs >= (lastQuoteMs ?? own.toMs) }
  }
  return times
}

/** Of the book at this index; undefined where none are. */
function ownRecords({ blocks, books }: PartitionHead, index: number): TimeRange | undefined {
  const times = blocks.map((block) => ownRecordsIn(block, index, books[index]!)).filter((range) => range !== undefined)
  return times.length === 0 ? undefined : { fromMs: times[0]!.fromMs, toMs: times.at(-1)!.toMs }
}

/** Of a block without records of archives only the times of all its books are known, so the first and the last quote of
 *  the book stand for its records, where they are in the block. */
function ownRecordsIn(
  { origins, bookRecords, firstMs, lastMs }: BlockEntry,
  index: number,
  { firstQuoteMs, lastQuoteMs }: BookEntry,
): TimeRange | undefined {
  if (origins !== undefined) {
    const own = origins.own[index + 1] ?? null
    return own === null ? undefined : { fromMs: own[1], toMs: own[2] }
  }
  if ((bookRecords[index] ?? 0) === 0) return undefined
  const isIn = (timeMs: number | null) => timeMs !== null && timeMs >= firstMs && timeMs <= lastMs
  return { fromMs: isIn(firstQuoteMs) ? firstQuoteMs! : firstMs, toMs: isIn(lastQuoteMs) ? lastQuoteMs! : lastMs }
}

/** What the own recording says that it lacks of the book, and what its records lead to infer. */
function gapsOf(days: readonly StoredDay[], id: string): TimeRange[] {
  return days.flatMap(({ date, head }) => {
    const number = indexOf(head, id) + 1
    const told = head.gaps
      .filter(({ book, source }) => (book === null || book === id) && source === undefined)
      .map(({ fromMs, toMs, atMs }) => ({ fromMs: fromMs ?? atMs, toMs: toMs ?? atMs }))
    const inferred = head.inferredGaps
      .filter(({ book }) => book === number)
      .map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs ?? dateStartMs(date) + DAY_MS }))
    return [...told, ...inferred]
  })
}

/** The records that a gap begins and ends with are no part of it. */
function withoutGaps(times: readonly TimeRange[], gaps: readonly TimeRange[]): TimeRange[] {
  let left = [...times]
  for (const gap of gaps) {
    left = left.flatMap((range) => {
      if (gap.toMs - gap.fromMs <= 1 || gap.toMs <= range.fromMs || gap.fromMs >= range.toMs) return [range]
      const parts = [
        { fromMs: range.fromMs, toMs: gap.fromMs },
        { fromMs: gap.toMs, toMs: range.toMs },
      ]
      return parts.filter(({ fromMs, toMs }) => fromMs <= toMs)
    })
  }
  return left
}
