// Converts between instants and positions on a time axis, and pans and zooms it. Dates without stored data are folded:
// they take little room. Time runs at one pace outside folds, and faster within them.

import { countedText } from './number-text.ts'
import { DAY_MS, type Fold, SPAN_MIN_MS, type Span, type StoredDates } from './shown.ts'

const SPAN_MAX_MS = 400 * DAY_MS
/** Length of a fold, as a share of the length of all stored dates; and the limit of this length, as a share of the
 *  folded time. */
const SHARE = 0.02
const SHARE_MAX = 0.25

/** Returns a fold for each gap between stored dates. */
export function foldsOf(dates: StoredDates): Fold[] {
  const widthMs = Math.round(dates.length * DAY_MS * SHARE)
  return dates.slice(1).flatMap(({ date }, before) => {
    const [fromMs, toMs] = [Date.parse(dates[before]!.date) + DAY_MS, Date.parse(date)]
    return toMs > fromMs ? [{ fromMs, toMs, lengthMs: Math.min(widthMs, (toMs - fromMs) * SHARE_MAX) }] : []
  })
}

export const foldText = ({ fromMs, toMs }: Fold): string =>
  `nothing stored for ${countedText((toMs - fromMs) / DAY_MS, 'day')}`

/** Returns the fold that contains an instant. */
export const foldAt = ({ folds = [] }: Pick<Span, 'folds'>, ms: number): Fold | undefined =>
  folds.find(({ fromMs, toMs }) => ms >= fromMs && ms < toMs)

/** Drops the windows that lie entirely within one fold. */
export const unfolded = <T extends { startMs: number; endMs: number }>(windows: T[], { folds = [] }: Span): T[] =>
  windows.filter(({ startMs, endMs }) => !folds.some(({ fromMs, toMs }) => startMs >= fromMs && endMs <= toMs))

/** Returns the parts of a span that are outside folds. */
export function partsOf({ fromMs, toMs, folds = [] }: Span): Span[] {
  const within = folds.filter((fold) => fold.toMs > fromMs && fold.fromMs < toMs)
  const ends = [...within.map((fold) => fold.fromMs), toMs]
  const parts = [fromMs, ...within.map((fold) => fold.toMs)].map((each, i) => ({ fromMs: each, toMs: ends[i]! }))
  return parts.filter((part) => part.fromMs < part.toMs)
}

/** Returns an instant minus the time that the folds before it remove, ms. */
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

/** Returns the length of a span on the axis, ms. */
export const lengthOf = ({ fromMs, toMs, folds }: Span): number => placeOf(toMs, folds) - placeOf(fromMs, folds)

/** Returns the position of an instant in a span: 0 at its start, 1 at its end, below or above outside it. */
export const shareOf = (span: Span, ms: number): number =>
  (placeOf(ms, span.folds) - placeOf(span.fromMs, span.folds)) / lengthOf(span)

/** Returns the instant at a share of a span, rounded to the millisecond. */
export const instantIn = (span: Span, share: number): number =>
  Math.round(instantAt(placeOf(span.fromMs, span.folds) + share * lengthOf(span), span.folds))

/** Moves a span by a share of its length. */
export const panned = (span: Span, share: number): Span => ({
  fromMs: instantIn(span, share),
  toMs: instantIn(span, 1 + share),
})

/** Makes a span longer or shorter around an instant, which keeps its position. */
export function zoomed(span: Span, factor: number, aroundMs: number): Span {
  const lengthMs = lengthOf(span)
  const share = shareOf(span, aroundMs)
  const longer = Math.min(SPAN_MAX_MS, Math.max(SPAN_MIN_MS, lengthMs * factor)) / lengthMs
  return { fromMs: instantIn(span, share * (1 - longer)), toMs: instantIn(span, share + (1 - share) * longer) }
}
