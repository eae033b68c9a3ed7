// Finds when a layer knows at least one book of the market on a date (docs/sources.md), from heads alone. Pure.

import type { BookEntry, PartitionHead } from '../../storage/format/partition-head.ts'
import { dateStartMs } from '../../storage/units.ts'
import { rankOf, trustAt, trustSteps } from '../trust/trust-steps.ts'

/** A stretch of time. `fromMs` is inclusive, `toMs` exclusive; Unix ms. */
export type Stretch = { fromMs: number; toMs: number }

/** A source's layer of a date. `before` is the source's head of the previous day, if it has one. `continues` says
 *  whether the source's books continue into the next day. */
export type DateCoverage = { head: PartitionHead; before: PartitionHead | undefined; continues: boolean }

const LOST = rankOf('lost')

/** Returns the times in which the layer knows a book, ascending and disjoint. Time after the last record is unknown,
 *  unless the source continues over midnight. A book is lost from the time at which messages may be missing, not from
 *  the time of the record that reports the loss. */
export function knownTimes(date: string, { head, before, continues }: DateCoverage, dayEndMs: number): Stretch[] {
  const hasBookRecord = head.books.some(({ recordCount, tradeCount }) => recordCount > tradeCount)
  if (!hasBookRecord) return []
  const endMs = continues ? dayEndMs : Math.min(dayEndMs, head.lastMs + 1)
  const known = head.books.flatMap((entry) => {
    const opens = before !== undefined && opensWith(entry, before)
    const fromMs = opens ? dateStartMs(date) : (entry.firstQuoteMs ?? Number.POSITIVE_INFINITY)
    return soundTimes(date, head, entry.id, endMs).map((stretch) => {
      return { fromMs: Math.max(stretch.fromMs, fromMs), toMs: Math.min(stretch.toMs, endMs) }
    })
  })
  return joined(known.filter(({ fromMs, toMs }) => fromMs < toMs))
}

/** Returns whether a date opens with a book that the source recorded the day before (`before`). An older book does not
 *  fill a hole until the source has a new record of it. */
export function opensWith({ id, startsFrom, trust }: BookEntry, before: PartitionHead): boolean {
  if (startsFrom !== 'opening_book') return false
  if (trust?.[0]?.[0] !== 0 || trust[0][1] !== 'doubtful') return true
  return (before.books.find((entry) => entry.id === id)?.quoteCount ?? 0) > 0
}

/** Returns when a book is known and not lost. A gap record and the record that ends the gap may have the same
 *  time. */
function soundTimes(date: string, head: PartitionHead, book: string, endMs: number): Stretch[] {
  const steps = trustSteps([{ date, head }], book)
  if (steps.length === 0) return []
  const lost = steps.flatMap(({ fromMs, trust }, i): Stretch[] =>
    trust < LOST ? [] : [{ fromMs, toMs: steps[i + 1]?.fromMs ?? endMs }],
  )
  let lastMs = Number.NaN
  for (const { atMs, fromMs, isCovered, book: of } of head.gaps) {
    const isOfBook = isCovered !== true && (of === null || of === book)
    // If several gap records have the same ms, only the first one makes the book lost.
    if (!isOfBook || atMs === lastMs || (trustAt(steps, atMs - 1) ?? LOST) === LOST) continue
    lastMs = atMs
    const toMs = lost.find((stretch) => stretch.fromMs === atMs)?.toMs ?? atMs
    lost.push({ fromMs: Math.min(fromMs ?? atMs, atMs), toMs })
  }
  let fromMs = steps[0]!.fromMs
  const sound: Stretch[] = []
  for (const stretch of joined(lost)) {
    sound.push({ fromMs, toMs: stretch.fromMs })
    fromMs = Math.max(fromMs, stretch.toMs)
  }
  return [...sound, { fromMs, toMs: endMs }].filter((stretch) => stretch.fromMs < stretch.toMs)
}

function joined(stretches: readonly Stretch[]): Stretch[] {
  const all: Stretch[] = []
  for (const { fromMs, toMs } of stretches.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = all.at(-1)
    if (last === undefined || fromMs > last.toMs) all.push({ fromMs, toMs })
    else last.toMs = Math.max(last.toMs, toMs)
  }
  return all
}
