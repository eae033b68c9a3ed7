// When a layer knows at least one book of the market on a date (docs/sources.md), from heads alone. Pure.

import type { BookEntry, PartitionHead } from '../../storage/format/partition-head.ts'
import { dateStartMs } from '../../storage/units.ts'
import { rankOf, trustAt, trustSteps } from '../trust/trust-steps.ts'

/** Holds `fromMs` and not `toMs`, Unix ms. */
export type Stretch = { fromMs: number; toMs: number }

/** What a source says of a date, and whether it goes on over midnight: from `before`, which is the head of the day before
 *  if it told of that, and into the day behind it. */
export type ToldDate = { head: PartitionHead; before: PartitionHead | undefined; goesOn: boolean }

const LOST = rankOf('lost')

/** Ascending and apart. The time behind the last record is not known, unless the source goes on. A book is lost from
 *  when on messages may be missing, not from the record that says so. */
export function knownTimes(date: string, { head, before, goesOn }: ToldDate, dayEndMs: number): Stretch[] {
  const hasBookRecord = head.books.some(({ recordCount, tradeCount }) => recordCount > tradeCount)
  if (!hasBookRecord) return []
  const endMs = goesOn ? dayEndMs : Math.min(dayEndMs, head.lastMs + 1)
  const known = head.books.flatMap((entry) => {
    const opens = before !== undefined && opensWith(entry, before)
    const fromMs = opens ? dateStartMs(date) : (entry.firstQuoteMs ?? Number.POSITIVE_INFINITY)
    return soundTimes(date, head, entry.id, endMs).map((stretch) => {
      return { fromMs: Math.max(stretch.fromMs, fromMs), toMs: Math.min(stretch.toMs, endMs) }
    })
  })
  return joined(known.filter(({ fromMs, toMs }) => fromMs < toMs))
}

/** Whether a date opens with a book that the day before, `before`, knew itself: one that is older than that is no reason
 *  against a hole until the source tells of it again. */
export function opensWith({ id, startsFrom, trust }: BookEntry, before: PartitionHead): boolean {
  if (startsFrom !== 'opening_book') return false
  if (trust?.[0]?.[0] !== 0 || trust[0][1] !== 'doubtful') return true
  return (before.books.find((entry) => entry.id === id)?.quoteCount ?? 0) > 0
}

/** When a book is known and not lost. A record that ends a gap may have the time of the gap's. */
function soundTimes(date: string, head: PartitionHead, book: string, endMs: number): Stretch[] {
  const steps = trustSteps([{ date, head }], book)
  if (steps.length === 0) return []
  const lost = steps.flatMap(({ fromMs, trust }, i): Stretch[] =>
    trust < LOST ? [] : [{ fromMs, toMs: steps[i + 1]?.fromMs ?? endMs }],
  )
  let lastMs = Number.NaN
  for (const { atMs, fromMs, isCovered, book: of } of head.gaps) {
    const isOfBook = isCovered !== true && (of === null || of === book)
    // Of several records of one ms the first loses the book.
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
