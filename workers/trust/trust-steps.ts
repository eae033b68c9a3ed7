// How far a book can be believed, instant by instant, over stored days: from their heads alone. Pure.

import type { StoredDay } from '../../storage/catalogue.ts'
import type { BookEntry, BookTrust } from '../../storage/format/partition-head.ts'
import { dateStartMs } from '../../storage/units.ts'
import { doubtfulSpans, isDoubtful } from '../book/evidence.ts'

/** From best to worst. */
export const TRUSTS = ['established', 'observed', 'doubtful', 'lost'] as const
/** How bad it is: an index in TRUSTS. */
export type TrustRank = number
export const rankOf = (trust: (typeof TRUSTS)[number]): TrustRank => TRUSTS.indexOf(trust)

const DOUBTFUL = rankOf('doubtful')
const LOST = rankOf('lost')

/** What the book is from an instant on, Unix ms, after all records up to it. */
export type TrustStep = { fromMs: number; trust: TrustRank }

/** Ascending; before the first step nothing is known of the book. `days` are stored days, ascending. */
export function trustSteps(days: readonly StoredDay[], book: string): TrustStep[] {
  const steps: TrustStep[] = []
  for (const { date, head } of days) {
    const entry = head.books.find(({ id }) => id === book)
    if (entry === undefined) continue
    const own = stepsOf(entry, dateStartMs(date))
    const spans = doubtfulSpans(head, book)
    const edges = spans.flatMap(({ fromMs, endMs }) => (Number.isFinite(endMs) ? [fromMs, endMs] : [fromMs]))
    const timesMs = [...new Set([...own.map(({ fromMs }) => fromMs), ...edges])].sort((one, other) => one - other)
    for (const fromMs of timesMs) {
      const known = own.findLast((step) => step.fromMs <= fromMs)
      if (known === undefined) continue
      const isWorse = known.trust < LOST && isDoubtful(spans, fromMs, fromMs + 1)
      const trust = isWorse ? DOUBTFUL : known.trust
      if (steps.at(-1)?.trust !== trust) steps.push({ fromMs, trust })
    }
  }
  return steps
}

/** What the book is at an instant, if `steps` begin before it. */
export const trustAt = (steps: readonly TrustStep[], timeMs: number): TrustRank | undefined =>
  steps.findLast(({ fromMs }) => fromMs <= timeMs)?.trust

/** What a book is told to be at an instant; of its records it is `trust`. */
export const shownTrust = (
  trust: BookTrust,
  steps: readonly TrustStep[] | undefined,
  timeMs: number,
): BookTrust | 'doubtful' => (trust !== 'lost' && trustAt(steps ?? [], timeMs) === DOUBTFUL ? 'doubtful' : trust)

/** Of all books of a day, by id. */
export const stepsOfBooks = (day: StoredDay): Map<string, TrustStep[]> =>
  new Map(day.head.books.map(({ id }) => [id, trustSteps([day], id)]))

/** Those of a day, but for its inferred gaps. */
function stepsOf(entry: BookEntry, dayMs: number): TrustStep[] {
  const told = (entry.trust ?? []).map(([ms, trust]) => ({ fromMs: Math.max(ms, dayMs), trust: rankOf(trust) }))
  const fromMs = entry.startsFrom === 'opening_book' ? dayMs : entry.firstQuoteMs
  if (fromMs === null || (told[0] !== undefined && told[0].fromMs <= fromMs)) return told
  return [{ fromMs, trust: rankOf(entry.startsFrom === 'neither' ? 'observed' : 'established') }, ...told]
}
