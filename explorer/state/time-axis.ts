// Where instants are on an axis of time, and how it moves. It is folded at dates on which nothing is stored: they take
// little room. Outside of folds time goes at one pace, and within one at a faster one.

import { countedText } from './number-text.ts'
import { DAY_MS, type Fold, SPAN_MIN_MS, type Span, type StoredDates } from './shown.ts'

const SPAN_MAX_MS = 400 * DAY_MS
/** Of the room of all stored dates, what a fold takes; and of its own room, at most. */
const SHARE = 0.02
const SHARE_MAX = 0.25

/** Between stored dates that do not follow each other. */
export function foldsOf(dates: StoredDates): Fold[] {
  const widthMs = Math.round(dates.length * DAY_MS * SHARE)
  return dates.slice(1).flatMap(({ date }, before) => {
    const [fromMs, toMs] = [Date.parse(dates[before]!.date) + DAY_MS, Date.parse(date)]
    return toMs > fromMs ? [{ fromMs, toMs, lengthMs: Math.min(widthMs, (toMs - fromMs) * SHARE_MAX) }] : []
  })
}

export const foldText = ({ fromMs, toMs }: Fold): string =>
  `nothing stored for ${countedText((toMs - fromMs) / DAY_MS, 'day')}`

/** The fold that holds an instant. */
export const foldAt = ({ folds = [] }: Pick<Span, 'folds'>, ms: number): Fold | undefined =>
  folds.find(({ fromMs, toMs }) => ms >= fromMs && ms < toMs)

/** Those that begin and end outside of folds, or in several. */
export const unfolded = <T extends { startMs: number; endMs: number }>(windows: T[], { folds = [] }: Span): T[] =>
  windows.filter(({ startMs, endMs }) => !folds.some(({ fromMs, toMs }) => startMs >= fromMs && endMs <= toMs))

/** What of a stretch is not in folds. */
export function partsOf({ fromMs, toMs, folds = [] }: Span): Span[] {
  const within = folds.filter((fold) => fold.toMs > fromMs && fold.fromMs < toMs)
  const ends = [...within.map((fold) => fold.fromMs), toMs]
  const parts = [fromMs, ...within.map((fold) => fold.toMs)].map((each, i) => ({ fromMs: each, toMs: ends[i]! }))
  return parts.filter((part) => part.fromMs < part.toMs)
}

/** An instant less what folds before it leave out, ms. */
function placeOf(ms: number, folds: readonly Fold[] = []): number {
  let place = ms
  for (const { fromMs, toMs, lengthMs } of folds) {
    if (ms <= fromMs) break
    place -= (Math.min(ms, toMs) - fromMs) * (1 - lengthMs / (toMs - fromMs))
  }
  return place
}

function instantAt(place: number, folds: readonly Fold[] = []): number {
  let ms = place
  for (const { fromMs, toMs, lengthMs } of folds) {
    if (ms <= fromMs) break
    ms += Math.min(toMs - fromMs - lengthMs, (ms - fromMs) * ((toMs - fromMs) / lengthMs - 1))
  }
  return ms
}

/** How long a stretch looks, ms. */
export const lengthOf = ({ fromMs, toMs, folds }: Span): number => placeOf(toMs, folds) - placeOf(fromMs, folds)

/** How far along a stretch an instant is: 0 at its begin, 1 at its end, and less or more outside. */
export const shareOf = (span: Span, ms: number): number =>
  (placeOf(ms, span.folds) - placeOf(span.fromMs, span.folds)) / lengthOf(span)

/** The instant at a share, to the millisecond. */
export const instantIn = (span: Span, share: number): number =>
  Math.round(instantAt(placeOf(span.fromMs, span.folds) + share * lengthOf(span), span.folds))

/** Moved by a share of itself. */
export const panned = (span: Span, share: number): Span => ({
  fromMs: instantIn(span, share),
  toMs: instantIn(span, 1 + share),
})

/** Made longer or shorter around an instant, which keeps its place. */
export function zoomed(span: Span, factor: number, aroundMs: number): Span {
  const lengthMs = lengthOf(span)
  const share = shareOf(span, aroundMs)
  const longer = Math.min(SPAN_MAX_MS, Math.max(SPAN_MIN_MS, lengthMs * factor)) / lengthMs
  return { fromMs: instantIn(span, share * (1 - longer)), toMs: instantIn(span, share + (1 - share) * longer) }
}
