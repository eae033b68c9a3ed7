// Finds the stretches of time in which a book is unknown or empty, and describes them from the market's coverage.

import type { KalshiMarketInfo as MarketInfo } from '../../../src/client/backbook.d.ts'
import type { DepthWindow } from '../../data/depth-window.ts'
import { capital, decidedBy, strikeText } from '../../data/market-name.ts'
import { type Horizon, hiddenFrom } from '../../state/horizon.ts'
import { DAY_MS } from '../../state/shown.ts'

export type Stretch = { fromMs: number; toMs: number }
/** A stretch with a label. `isLoss` is true if data was lost: such a stretch is marked however short it is. */
export type Named = Stretch & { text: string; isLoss: boolean }

/** Returns the market's close with its strike, and its settlement with the value that decided it. Omits what the venue
 *  does not give. */
export function momentsOf(info: Timed | null): Named[] {
  if (info === null) return []
  const [strike, value] = [strikeText(info), decidedBy(info)]
  const result = info.result === null ? '' : `: ${capital(info.result)}${value === null ? '' : ` at ${value}`}`
  const moments = [
    { ms: info.close_timestamp, text: strike === null ? 'close' : `close, strike ${strike}` },
    { ms: info.settlement_timestamp, text: `settled${result}` },
  ]
  return moments.flatMap(({ ms, text }) => (ms === null ? [] : [{ fromMs: ms, toMs: ms, text, isLoss: false }]))
}

type Timed = Pick<MarketInfo, 'close_timestamp' | 'settlement_timestamp' | 'result' | 'strike' | 'strike_kind' | 'said'>

/** Returns the stretches in which the book is unknown; joins those that continue into the next window. */
export function unknownIn(windows: readonly DepthWindow[]): Stretch[] {
  return joined(windows.flatMap(unknownOf))
}

/** Returns the stretches in which the book is known and has no levels. */
export function emptyIn(windows: readonly DepthWindow[]): Stretch[] {
  return joined(windows.flatMap(emptyOf))
}

function unknownOf({ startMs, resolutionMs, columns, known }: DepthWindow): Stretch[] {
  const unknown: Stretch[] = []
  let next = 0
  for (const [first, last] of [...known, [columns, columns] as const]) {
    if (first > next) unknown.push({ fromMs: startMs + next * resolutionMs, toMs: startMs + first * resolutionMs })
    next = last + 1
  }
  return unknown
}

/** Returns the stretches that no bucket covers; `times` are the starts of the buckets. */
export function breaksIn(times: ArrayLike<number>, resolutionMs: number, { fromMs, toMs }: Stretch): Stretch[] {
  const breaks: Stretch[] = []
  let next = fromMs
  for (let at = 0; at < times.length && times[at]! < toMs; at++) {
    if (times[at]! > next) breaks.push({ fromMs: next, toMs: times[at]! })
    next = Math.max(next, times[at]! + resolutionMs)
  }
  if (next < toMs) breaks.push({ fromMs: next, toMs })
  return breaks
}

/** Returns the stretches whose buckets have no price on either side. */
export function pricelessIn(times: ArrayLike<number>, resolutionMs: number, sides: readonly ArrayLike<number>[]) {
  const found: Stretch[] = []
  for (let at = 0; at < times.length; at++) {
    const fromMs = times[at]!
    if (sides.every((values) => Number.isNaN(values[at]!))) found.push({ fromMs, toMs: fromMs + resolutionMs })
  }
  return joined(found)
}

const empties = new WeakMap<DepthWindow, Stretch[]>()

function emptyOf(window: DepthWindow): Stretch[] {
  const cached = empties.get(window)
  if (cached !== undefined) return cached
  const { startMs, resolutionMs, columns, sizes, known } = window
  const hasAny = new Uint8Array(columns)
  for (let at = 0, column = 0; at < sizes.length; at++) {
    if (sizes[at] !== 0) hasAny[column] = 1
    column = column + 1 === columns ? 0 : column + 1
  }
  const found: Stretch[] = []
  for (const [first, last] of known) {
    for (let column = first; column <= last; column++) {
      if (hasAny[column] === 1) continue
      const fromMs = startMs + column * resolutionMs
      found.push({ fromMs, toMs: fromMs + resolutionMs })
    }
  }
  const all = joined(found)
  empties.set(window, all)
  return all
}

function joined(stretches: readonly Stretch[]): Stretch[] {
  const all: Stretch[] = []
  for (const { fromMs, toMs } of stretches) {
    const last = all.at(-1)
    if (last !== undefined && fromMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs)
    else all.push({ fromMs, toMs })
  }
  return all
}

export type CoveredDate = {
  date: string
  first_timestamp: number
  last_timestamp: number
  gaps: readonly { reason: string; from: number | null; to: number | null; timestamp: number }[]
  inferred_gaps: readonly { reason: string; from: number; to: number | null }[]
  /** Known incidents of the archives that the date came from. `from` and `to` are dates, both inclusive. */
  incidents: readonly { name: string; from: string; to: string }[]
}

/** Adds a short reason why the book is unknown in the stretch. `dates` is null until the server has answered. */
export function namedUnknown(stretch: Stretch, dates: readonly CoveredDate[] | null): Named {
  if (dates === null) return { ...stretch, text: 'not loaded', isLoss: false }
  const text = whyUnknown(stretch, dates)
  return { ...stretch, text, isLoss: text.startsWith(GAP) || text === NOT_KNOWN }
}

/** Adds the reasons to several stretches. While the market `isLive`, omits the time after its newest record. */
export function eachUnknown(
  stretches: readonly Stretch[],
  dates: readonly CoveredDate[] | null,
  isLive: boolean,
): Named[] {
  const named = stretches.map((each) => namedUnknown(each, dates))
  return isLive ? named.filter(({ text }) => text !== AFTER) : named
}

/** Labels a stretch without prices. Buckets do not distinguish an empty book from an unknown one, so the label is `no
 *  prices` unless the coverage gives a reason: after a gap, for example, the book is unknown. */
export function namedPriceless(stretch: Stretch, dates: readonly CoveredDate[] | null): Named {
  const named = namedUnknown(stretch, dates)
  return named.text === NOT_KNOWN ? { ...stretch, text: 'no prices', isLoss: false } : named
}

const GAP = 'gap: '
const NOT_KNOWN = 'not known'
const AFTER = 'nothing recorded after this'

function whyUnknown({ fromMs, toMs }: Stretch, dates: readonly CoveredDate[]): string {
  // A recorder writes a gap when it ends: the record's time may be the instant at which the book is known again.
  const gap = dates
    .flatMap(({ gaps }) => gaps)
    .find(({ from, to, timestamp }) => (from ?? timestamp) < toMs && Math.max(to ?? 0, timestamp) >= fromMs - 1)
  if (gap !== undefined) return `${GAP}${gap.reason}`
  const first = dates.find(({ last_timestamp }) => last_timestamp >= fromMs)
  if (dates.length === 0) return 'not stored'
  if (first === undefined) return AFTER
  if (first.first_timestamp >= toMs) return 'nothing recorded before this'
  return fromMs <= first.first_timestamp ? 'before the first snapshot' : NOT_KNOWN
}

const WORDS: Record<string, string> = {
  sequence_restart: 'lost: sequence restarted',
  sequence_hole: 'doubtful: messages lost',
  below_zero: 'doubtful: more taken than there was',
  crossed: 'doubtful: bids reach asks',
  unreadable_change: 'doubtful: unreadable change',
  best_price_contradicts: 'doubtful: other best prices stated',
  hash_contradicts: 'doubtful: hash of another book',
  snapshot_contradicts: 'lost: snapshot contradicts',
  days_without_data: 'doubtful: from before days without data',
}

/** Returns the stretches in which data was lost though no record says so. The chart still shows the book that the
 *  records give. */
export const inferredGaps = (dates: readonly CoveredDate[]): Named[] =>
  dates.flatMap(({ inferred_gaps, last_timestamp }) =>
    inferred_gaps.map(({ reason, from, to }) => ({
      fromMs: from,
      toMs: to ?? last_timestamp,
      text: WORDS[reason] ?? reason,
      isLoss: true,
    })),
  )

/** Returns the known incidents of the archives that the dates came from. */
export function incidentsOf(dates: readonly CoveredDate[]): Named[] {
  const byName = new Map(dates.flatMap(({ incidents }) => incidents).map((each) => [each.name, each]))
  return [...byName.values()].map(({ name, from, to }) => ({
    fromMs: Date.parse(from),
    toMs: Date.parse(to) + DAY_MS,
    text: `incident: ${name.replaceAll('_', ' ')}`,
    isLoss: true,
  }))
}

/** Returns the hidden time, if there is any. It starts `nearMs` after the horizon, so that the cursor itself does not
 *  count as later. */
export const laterThan = (horizon: Horizon | null, nearMs: number): Named[] =>
  horizon === null
    ? []
    : [{ fromMs: hiddenFrom(horizon) + nearMs, toMs: Infinity, text: 'later: hidden', isLoss: false }]
