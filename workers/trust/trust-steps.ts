// Computes the trust of a book at each instant of stored days, from the heads of the days alone. Pure.

import type { StoredDay } from '../../storage/catalogue.ts'
import { isSwitchedTo } from '../../storage/format/head-layers.ts'
import type { BookEntry, BookTrust, NotedTrust } from '../../storage/format/partition-head.ts'
import { dateStartMs, isDayAfter } from '../../storage/units.ts'
import { doubtfulSpans } from '../book/evidence.ts'
import { AFTER, isKnown } from '../evidence/trust-table.ts'
import { firstTrust } from './trust-changes.ts'

/** From best to worst. */
export const TRUSTS = ['established', 'observed', 'doubtful', 'lost'] as const
/** All TRUSTS, then `unknown`: the trust of a book that the shown source does not have. */
export const NOTED_TRUSTS = [...TRUSTS, 'unknown'] as const
/** Index in NOTED_TRUSTS: the higher, the worse. */
export type TrustRank = number
export const rankOf = (trust: NotedTrust): TrustRank => NOTED_TRUSTS.indexOf(trust)

const DOUBTFUL = rankOf('doubtful')
export const UNKNOWN = rankOf('unknown')

/** The trust of a book from `fromMs` on, Unix ms. It applies after all records up to that time. */
export type TrustStep = { fromMs: number; trust: TrustRank }

/** Returns the steps of a book, ascending. Before the first step, nothing is known of the book. `days` are stored
 *  days, ascending. */
export function trustSteps(days: readonly StoredDay[], book: string): TrustStep[] {
  const steps: TrustStep[] = []
  for (const [i, { date, head }] of days.entries()) {
    const entry = head.books.find(({ id }) => id === book)
    const dayMs = dateStartMs(date)
    const own = entry === undefined ? [] : stepsOf(entry, dayMs)
    const last = steps.at(-1)?.trust
    const carried = carriedTrust(days[i - 1], days[i]!, last)
    if (carried !== undefined && carried !== last && own[0]?.fromMs !== dayMs)
      steps.push({ fromMs: dayMs, trust: carried })
    if (entry === undefined) continue
    const spans = doubtfulSpans(head, book)
    const [begins, ends] = [spans.map(({ fromMs }) => fromMs), spans.map(({ endMs }) => endMs)].map(ascending)
    const timesMs = ascending([...own.map(({ fromMs }) => fromMs), ...begins!, ...ends!.filter(Number.isFinite)])
    let [known, begun, ended] = [-1, 0, 0]
    for (const fromMs of timesMs) {
      while ((own[known + 1]?.fromMs ?? Number.POSITIVE_INFINITY) <= fromMs) known++
      while (begun < begins!.length && begins![begun]! <= fromMs) begun++
      while (ended < ends!.length && ends![ended]! <= fromMs) ended++
      if (known < 0) continue
      const { trust: ofRecords } = own[known]!
      const trust = rankOf(begun > ended ? AFTER.missing[ofRecords] : ofRecords)
      if (steps.at(-1)?.trust !== trust) steps.push({ fromMs, trust })
    }
  }
  return steps
}

/** Returns the trust from the start of a day until the day's first step. `trust` is the trust at the end of the stored
 *  day before. Both are undefined if nothing is known. */
function carriedTrust(before: StoredDay | undefined, day: StoredDay, trust: TrustRank | undefined) {
  if (before === undefined || trust === undefined) return undefined
  if (isSwitchedTo(before.head, day.head)) return UNKNOWN
  return isDayAfter(before.date, day.date) ? trust : rankOf(AFTER.olderOpeningBook[NOTED_TRUSTS[trust]!])
}

/** Returns the times in which the shown source does not have the book, `endMs` exclusive. */
export const unknownSpans = (steps: readonly TrustStep[]): { fromMs: number; endMs: number }[] =>
  steps.flatMap(({ fromMs, trust }, i) =>
    trust === UNKNOWN ? [{ fromMs, endMs: steps[i + 1]?.fromMs ?? Number.POSITIVE_INFINITY }] : [],
  )

const ascending = (values: readonly number[]): number[] => values.toSorted((one, other) => one - other)

/** Returns the trust at an instant; undefined before the first step. */
export function trustAt(steps: readonly TrustStep[], timeMs: number): TrustRank | undefined {
  let [low, high] = [0, steps.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (steps[middle]!.fromMs <= timeMs) low = middle + 1
    else high = middle
  }
  return steps[low - 1]?.trust
}

/** Returns whether the book is known at an instant. False if the book is lost, has no record so far, or is missing in
 *  the shown source. */
export function isKnownAt(steps: readonly TrustStep[], timeMs: number): boolean {
  const trust = trustAt(steps, timeMs)
  return trust !== undefined && isKnown(NOTED_TRUSTS[trust]!)
}

export type ShownTrust = BookTrust | 'doubtful'

/** Returns the trust to show at an instant. `trust` is the trust of the book by its records alone. */
export const shownTrust = (trust: BookTrust, steps: readonly TrustStep[] | undefined, timeMs: number): ShownTrust =>
  trustAt(steps ?? [], timeMs) === DOUBTFUL ? AFTER.missing[trust] : trust

/** Returns the steps of all books of a day. The key is the book's id. */
export const stepsOfBooks = (day: StoredDay): Map<string, TrustStep[]> =>
  new Map(day.head.books.map(({ id }) => [id, trustSteps([day], id)]))

/** Returns the steps of a book on one day, without its inferred gaps. */
export function stepsOf(entry: BookEntry, dayMs: number): { fromMs: number; trust: NotedTrust }[] {
  const noted = (entry.trust ?? []).map(([ms, trust]) => ({ fromMs: Math.max(ms, dayMs), trust }))
  const fromMs = entry.startsFrom === 'opening_book' ? dayMs : entry.firstQuoteMs
  if (fromMs === null || (noted[0] !== undefined && noted[0].fromMs <= fromMs)) return noted
  return [{ fromMs, trust: firstTrust(entry) }, ...noted]
}
