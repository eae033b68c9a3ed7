// Decides which source a date of a market shows, and when.
//
// Where the contract leaves room: an archive that knows a book in a hole, but has no record in it, is not shown there.

import { archivesInOrder } from './archives.ts'
import { intersection, isTime, knownTimes, unknownTimes } from './known-times.ts'
import { dayOf, type Interval, isWithin, type Layer, partitionAt } from './layer.ts'

/** A span of one source; null for own. Neighbours have different sources. */
export type Span = Interval & { source: string | null }

/** Returns spans that cover a whole date on which at least one layer has a record. `sources` are the archives in the
 *  operator's order. */
export function spansOf(layers: Layer[], date: string, sources: string[] | undefined): Span[] {
  const own = layers.find(({ source }) => source === null)
  const archives = archivesInOrder(layers, date, sources)
  const filled = unknownTimes(own?.partitions ?? [], date).flatMap((hole): Span[] => {
    const knowing = archives.find(
      (archive) =>
        knownTimes(archive.partitions, date).some((known) => isTime(intersection(known, hole))) &&
        partitionAt(archive, date)!.records.some(({ timestamp }) => isWithin(hole, timestamp)),
    )
    // If no archive knows a book in the hole, the first archive is shown only on a date without own records.
    const shown = knowing ?? (partitionAt(own, date) === undefined ? archives[0] : undefined)
    return shown === undefined ? [] : [{ source: shown.source, ...hole }]
  })
  const day = dayOf(date)
  const spans: Span[] = []
  let fromMs = day.fromMs
  for (const span of filled) {
    spans.push({ source: null, fromMs, toMs: span.fromMs }, span)
    fromMs = span.toMs
  }
  return [...spans, { source: null, fromMs, toMs: day.toMs }].filter(isTime)
}

export const sourceAt = (spans: Span[], ms: number): string | null =>
  spans.find((span) => isWithin(span, ms))?.source ?? null
