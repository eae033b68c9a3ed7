// Places the marks of the time axis and formats their labels.

import type { Span } from '../../state/shown.ts'
import { foldAt, lengthOf } from '../../state/time-axis.ts'
import { clockText, dateText } from '../../state/time-text.ts'

const STEPS_MS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1_000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 3, 6, 12].map((hours) => hours * 3_600_000),
  ...[1, 2, 7, 14, 28].map((days) => days * 86_400_000),
]

/** Returns the smallest step whose marks are at least `apartPx` apart. */
export function tickStepMs(spanMs: number, widthPx: number, apartPx: number): number {
  return STEPS_MS.find((step) => (step / spanMs) * widthPx >= apartPx) ?? STEPS_MS.at(-1)!
}

/** Least distance between a mark and the end of a fold, as a share of a step. */
const NEAR = 0.9

/** Returns the ends of folds, and the multiples of the step that are neither in a fold nor near the end of one. */
export function ticksMs(span: Span, stepMs: number): number[] {
  const { fromMs, toMs, folds = [] } = span
  const isFar = (a: number, b: number) => Math.abs(lengthOf({ fromMs: a, toMs: b, folds })) >= NEAR * stepMs
  const ticks: number[] = []
  for (const { toMs: end } of folds) {
    if (end >= fromMs && end <= toMs && ticks.every((each) => isFar(each, end))) ticks.push(end)
  }
  const ends = [...ticks]
  for (let at = Math.ceil(fromMs / stepMs) * stepMs; at <= toMs; at += stepMs) {
    if (foldAt(span, at) === undefined && ends.every((each) => isFar(each, at))) ticks.push(at)
  }
  return ticks.sort((a, b) => a - b)
}

/** Returns the date at the start of a day, otherwise the time. */
export function tickText(ms: number, stepMs: number, zone: string): string {
  const clock = clockText(ms, zone, stepMs >= 60_000 ? 60_000 : stepMs >= 1_000 ? 1_000 : 1)
  return stepMs >= 60_000 && clock === '00:00' ? dateText(ms, zone) : clock
}
