// Decides which source a date with several sources shows at each time (docs/sources.md), as consecutive spans. Pure.

import type { Source } from '../../storage/format/head-layers.ts'
import type { PartitionHead, Span } from '../../storage/format/partition-head.ts'
import { DAY_MS, dateStartMs } from '../../storage/units.ts'
import { type DateCoverage, knownTimes, type Stretch } from './known-times.ts'

/** `hasRecordIn` returns whether the source has a record in a stretch of the date. */
export type LayerOfDate = DateCoverage & { source: Source; hasRecordIn(stretch: Stretch): boolean }

/** Returns the spans, ascending; the first one begins with the date. `layers` are in the order of `inOrder`. */
export function spansOf(date: string, layers: readonly LayerOfDate[]): Span[] {
  const own = layers.find(({ source }) => source === null)
  const archives = layers.filter(({ source }) => source !== null)
  const day = { fromMs: dateStartMs(date), toMs: dateStartMs(date) + DAY_MS }
  const knownBy = archives.map((archive) => ({ ...archive, known: knownTimes(date, archive, day.toMs) }))
  // Returns the first archive that knows a book in the stretch and has a record there. If there is no such archive,
  // returns the user's own source, or the first archive if the user has no layer.
  const archiveFor = ({ fromMs, toMs }: Stretch): Source => {
    const knows = ({ known, hasRecordIn }: (typeof knownBy)[0]) =>
      known.some((stretch) => stretch.fromMs < toMs && stretch.toMs > fromMs) && hasRecordIn({ fromMs, toMs })
    return (knownBy.find(knows) ?? (own === undefined ? archives[0] : undefined))?.source ?? null
  }
  const spans: Span[] = []
  const show = (source: Source, { fromMs, toMs }: Stretch) => {
    if (fromMs < toMs && spans.at(-1)?.[0] !== source) spans.push([source, fromMs])
  }
  let fromMs = day.fromMs
  for (const known of own === undefined ? [] : knownTimes(date, own, day.toMs)) {
    const hole = { fromMs, toMs: Math.max(fromMs, known.fromMs) }
    if (hole.fromMs < hole.toMs) show(archiveFor(hole), hole)
    show(null, { fromMs: hole.toMs, toMs: known.toMs })
    fromMs = Math.max(fromMs, known.toMs)
  }
  const rest = { fromMs, toMs: day.toMs }
  if (rest.fromMs < rest.toMs) show(archiveFor(rest), rest)
  return spans
}

/** Sorts layers: the user's own first, then archives in `order`. The rest follow by how far they agree with the best
 *  prices that the venue states, then by name. */
export function inOrder<T extends { source: Source; head: PartitionHead }>(
  layers: readonly T[],
  order: readonly string[],
): T[] {
  const placeOf = ({ source }: T) => {
    if (source === null) return -1
    return order.includes(source) ? order.indexOf(source) : order.length
  }
  return layers.toSorted(
    (a, b) => placeOf(a) - placeOf(b) || agreement(b.head) - agreement(a.head) || (a.source! < b.source! ? -1 : 1),
  )
}

/** Returns the share of quotes whose best prices match the venue's; -1 if none can be compared. */
function agreement({ books }: PartitionHead): number {
  let [agreed, checked] = [0, 0]
  for (const { quality } of books) {
    agreed += quality.bestPricesAgreed
    checked += quality.bestPricesChecked
  }
  return checked === 0 ? -1 : agreed / checked
}
