// Describes in words how reliable a day's data is.

import type { Audits, KalshiInferredGap } from '../../src/client/backbook.d.ts'
import { countedText, countText } from '../state/number-text.ts'
import { durationText } from '../state/time-text.ts'
import type { Day } from './calendar.ts'

/** A gap that the recorder noticed, with the fields that are shown. */
export type Gap = { reason: string; from: number | null; to: number | null; timestamp: number }
/** A gap that no record reports. It is inferred from the data after it. */
export type InferredGap = Pick<KalshiInferredGap, 'reason' | 'from' | 'to' | 'levels_differing'>
export type DayCoverage = {
  date: string
  record_count: number
  gaps: readonly Gap[]
  inferred_gaps: readonly InferredGap[]
  incidents: readonly { name: string; note: string }[]
}

/** A stretch in which something was missed. `toMs` is null if its end is unknown. */
export type Missed = { fromMs: number; toMs: number | null; why: string; isInferred: boolean }

/** Returns all missed stretches of a day, in time order. */
export function missedOf({ gaps, inferred_gaps: inferred }: DayCoverage): Missed[] {
  const known = gaps.map(({ reason, from, to, timestamp }) => {
    return { fromMs: from ?? timestamp, toMs: to ?? (from === null ? null : timestamp), why: reason, isInferred: false }
  })
  const guessed = inferred.map(({ from, to, ...gap }) => {
    return { fromMs: from, toMs: to, why: inferredText(gap), isInferred: true }
  })
  return [...known, ...guessed].sort((a, b) => a.fromMs - b.fromMs)
}

const EVIDENCE: Record<InferredGap['reason'], string> = {
  sequence_restart: 'The connection was a new one',
  sequence_hole: 'Messages of the connection were lost',
  below_zero: 'A change took more than its level had',
  crossed: 'Bids reached asks',
  unreadable_change: 'A change could not be read',
  best_price_contradicts: 'The venue stated other best prices',
  hash_contradicts: 'The hash of the venue is of another book',
  snapshot_contradicts: 'Changes were lost',
  days_without_data: 'The book is from before days without data',
}

function inferredText({ reason, levels_differing: levels }: Pick<InferredGap, 'reason' | 'levels_differing'>): string {
  const differs = levels === null ? '' : `: the next snapshot differs in ${countedText(levels, 'level')}`
  if (reason === 'snapshot_contradicts' && differs === '')
    return 'Changes were lost: the next snapshot contradicts the book'
  return `${EVIDENCE[reason]}${differs}`
}

/** Returns how long a missed stretch lasted, if known. */
export const lengthText = ({ fromMs, toMs }: Missed): string =>
  toMs === null ? 'end unknown' : durationText(toMs - fromMs)

export function dayOf(covered: DayCoverage): Day {
  const missed = missedOf(covered)
  const faults = [
    ...(missed.length === 0 ? [] : [missedText(missed)]),
    ...covered.incidents.map(({ name }) => name.replaceAll('_', ' ')),
  ]
  return {
    date: covered.date,
    condition: faults.length === 0 ? 'available' : 'degraded',
    records: covered.record_count,
    faults: faults.join(', '),
  }
}

/** Returns a text such as `2 gaps, 3.2 s`. */
export function missedText(missed: readonly Missed[]): string {
  const ms = missed.reduce((sum, { fromMs, toMs }) => sum + (toMs === null ? 0 : toMs - fromMs), 0)
  return `${countedText(missed.length, 'gap')}${ms === 0 ? '' : `, ${durationText(ms)}`}`
}

export const STARTS = {
  snapshot: 'begins with a snapshot',
  opening_book: 'begins with the book of the day before',
  neither: 'begins unknown: only levels named by changes are known',
} as const

/** Returns a text such as `12 confirm the book` or `11 confirm the book, 1 contradicts it`. */
export function snapshotsText(confirmed: number, contradicted: number): string {
  if (confirmed + contradicted === 0) return 'none to compare with'
  const good = `${countText(confirmed)} ${confirmed === 1 ? 'confirms' : 'confirm'} the book`
  return contradicted === 0
    ? good
    : `${good}, ${countText(contradicted)} ${contradicted === 1 ? 'contradicts' : 'contradict'} it`
}

/** Returns a text such as `120 of 120 agree`. */
export const agreedText = (agreed: number, checked: number): string =>
  checked === 0 ? 'none to compare with' : `${countText(agreed)} of ${countText(checked)} agree`

/** An archive that supplied records of the day. */
export type Archive = { source: string; records: number; licence: string | null; attribution: string | null }

/** Returns a text such as `69 records are from the archive pmxt-v2, by pmxt: CC BY 4.0.` */
export const archiveText = ({ source, records, licence, attribution }: Archive): string =>
  `${countedText(records, 'record')} ${records === 1 ? 'is' : 'are'} from the archive ${source}` +
  `${attribution === null ? '' : `, by ${attribution}`}: ${licence ?? 'no licence is stated'}.`

/** Describes how many books agreed when the recorder compared them with the venue's own. */
export function auditsText({ exact, consistent, inconsistent, undecidable }: Audits): string {
  if (exact + consistent + inconsistent + undecidable === 0) return 'none made'
  const parts = [
    [exact, 'the same'],
    [consistent, 'the same at about that time'],
    [inconsistent, 'different'],
    [undecidable, 'undecided'],
  ] as const
  return parts.flatMap(([count, words]) => (count === 0 ? [] : [`${countText(count)} ${words}`])).join(', ')
}
