// Plans which parts a summary reads, and computes when the book is known. Uses heads alone, without I/O.

import type { PartRef } from '../../storage/block-store.ts'
import type { StoredDay } from '../../storage/catalogue.ts'
import { isSwitchedTo } from '../../storage/format/head-layers.ts'
import { type BookEntry, hasSwitch } from '../../storage/format/partition-head.ts'
import { DAY_MS, dateStartMs } from '../../storage/units.ts'
import { isKnown } from '../evidence/trust-table.ts'
import type { SummaryRequest } from '../requests.ts'
import { trustSteps, unknownSpans } from '../trust/trust-steps.ts'
import type { BucketGrid } from './bucket-grid.ts'
import { type PlannedDay, partsOfDay, planDay } from './plan-day.ts'

/** A stored day, and what a summary reads of it. */
export type DayOfSummary = { day: StoredDay; plan: PlannedDay }

/** A run of bucket numbers, both ends inclusive. */
export type BucketRun = { first: number; last: number }

/** The part of a request that decides when a book is known. */
export type KnownRequest = Pick<SummaryRequest, 'book' | 'fromMs' | 'toMs' | 'nowMs' | 'fill'>

export type SummaryPlan = { days: DayOfSummary[]; runs: BucketRun[]; bucketCount: number }

/** Plans a summary. `days` are the stored days of the range, ascending; `next` is the first stored day after it. */
export function planSummary(
  request: SummaryRequest,
  days: StoredDay[],
  next: StoredDay | undefined,
  grid: BucketGrid,
): SummaryPlan {
  const runs = bucketRuns(request, days, next, grid)
  const bucketCount = runs.reduce((sum, { first, last }) => sum + last - first + 1, 0)
  return { days: days.map((day) => planOf(request, day)), runs, bucketCount }
}

/** Returns the runs of all buckets that the answer may have, from heads alone. `fill` may still leave out buckets
 *  without a quote. */
export function bucketRuns(
  request: KnownRequest,
  days: readonly StoredDay[],
  next: StoredDay | undefined,
  grid: BucketGrid,
): BucketRun[] {
  const runs: BucketRun[] = []
  for (const known of knownSpans(request, days, next)) {
    for (const run of days.flatMap(({ date }) => bucketRun(request, date, known, grid))) {
      // One bucket may have both the end of a span and the start of the next.
      const first = Math.max(run.first, (runs.at(-1)?.last ?? Number.NEGATIVE_INFINITY) + 1)
      if (first <= run.last) runs.push({ first, last: run.last })
    }
  }
  return runs
}

/** Both ends are inclusive, Unix ms. */
type KnownSpan = { fromMs: number; toMs: number }

/** Returns the spans in which the book is known, not clipped to the range. There is more than one span only if a date
 *  shows a source that lacks the book. */
export function knownSpans(
  request: KnownRequest,
  days: readonly StoredDay[],
  next: StoredDay | undefined,
): KnownSpan[] {
  const known = knownSpan(request, days, next)
  if (known === undefined) return []
  const isSwitched = days.some(({ head }, i) => hasSwitch(head) || isSwitchedAt(days, i))
  const unknownTimes = isSwitched ? unknownSpans(trustSteps(days, request.book)) : []
  const spans: KnownSpan[] = []
  let { fromMs } = known
  for (const unknown of unknownTimes) {
    if (unknown.endMs <= fromMs || unknown.fromMs > known.toMs) continue
    if (unknown.fromMs > fromMs) spans.push({ fromMs, toMs: unknown.fromMs - 1 })
    fromMs = unknown.endMs
  }
  return fromMs > known.toMs ? spans : [...spans, { fromMs, toMs: known.toMs }]
}

function knownSpan(
  { book, fromMs, toMs, nowMs, fill }: KnownRequest,
  days: readonly StoredDay[],
  next: StoredDay | undefined,
): KnownSpan | undefined {
  const entries = days.map((day) => entryOf(day, book)).filter((entry) => entry !== undefined)
  const { firstMs, lastMs } = boundsOf(days, entries)
  const isOpen = days[0] !== undefined && entryOf(days[0], book)?.startsFrom === 'opening_book'
  const knownFromMs = isOpen ? fromMs : firstMs
  if (knownFromMs === undefined) return undefined
  const isContinued = next !== undefined && entryOf(next, book)?.startsFrom === 'opening_book'
  if (fill !== 'range' && !isContinued) {
    return lastMs === undefined ? undefined : { fromMs: knownFromMs, toMs: lastMs }
  }
  const carriedToMs = Math.min(toMs, nowMs)
  return { fromMs: knownFromMs, toMs: Math.max(carriedToMs, Math.min(lastMs ?? carriedToMs, toMs)) }
}

/** Returns the times of the book's first and last event. An event is a quote, or a switch to a source that has the
 *  book. */
function boundsOf(days: readonly StoredDay[], entries: readonly BookEntry[]) {
  const quoted = entries.filter(({ quoteCount }) => quoteCount > 0)
  const bounds = [quoted[0]?.firstQuoteMs, quoted.at(-1)?.lastQuoteMs].filter((ms) => typeof ms === 'number')
  const switches = new Set(days.flatMap(({ head }) => head.blocks.flatMap(({ begins }) => begins ?? [])))
  if (switches.size > 0) {
    const noted = entries.flatMap(({ trust = [] }) => trust)
    bounds.push(...noted.flatMap(([ms, trust]) => (switches.has(ms) && isKnown(trust) ? [ms] : [])))
  }
  return bounds.length === 0 ? {} : { firstMs: Math.min(...bounds), lastMs: Math.max(...bounds) }
}

const isSwitchedAt = (days: readonly StoredDay[], i: number): boolean =>
  i > 0 && isSwitchedTo(days[i - 1]!.head, days[i]!.head)

function bucketRun({ fromMs, toMs }: KnownRequest, date: string, known: KnownSpan, grid: BucketGrid): BucketRun[] {
  if (known.fromMs > toMs) return []
  const dayMs = dateStartMs(date)
  const first = Math.max(grid.firstFrom(Math.max(fromMs, dayMs)), grid.numberAt(Math.max(known.fromMs, dayMs)))
  const last = grid.numberAt(Math.min(toMs, known.toMs, dayMs + DAY_MS - 1))
  return first <= last ? [{ first, last }] : []
}

function planOf(request: SummaryRequest, day: StoredDay): DayOfSummary {
  const bookIndex = day.head.books.findIndex(({ id }) => id === request.book)
  return { day, plan: planDay(day.head, bookIndex, request) }
}

/** Returns the parts that a summary reads. A quote that is open at the end of the range continues in later parts. It
 *  usually ends in the first later part, so only this part is included. If `toEnd`, all later parts are included. */
export function partsOfSummary(
  { venue, market, toMs }: SummaryRequest,
  { days }: SummaryPlan,
  toEnd: boolean,
): PartRef[] {
  return days.flatMap(({ day: { date, head }, plan }, index): PartRef[] => {
    const key = { venue, market, date }
    return partsOfDay(head, plan, { toMs, toEnd, isFirst: index === 0 }).map((part): PartRef => ({ key, ...part }))
  })
}

function entryOf({ head }: StoredDay, book: string): BookEntry | undefined {
  return head.books.find(({ id }) => id === book)
}
