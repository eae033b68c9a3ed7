// The position of a plot on its canvas, and the time and values it shows. Drawing uses canvas pixels; pointer code uses
// page pixels from the corner of the plot.

import type { Span } from '../../state/shown.ts'
import { instantIn, lengthOf, shareOf } from '../../state/time-axis.ts'

export type Plot = Span & {
  left: number
  top: number
  width: number
  height: number
  low: number
  high: number
  /** Plot pixels per page pixel. */
  ratio: number
}

export const xOf = (plot: Plot, ms: number): number => plot.left + shareOf(plot, ms) * plot.width

/** Milliseconds per pixel outside folds. A fold is a stretch of dates without stored data that is drawn narrow. */
export const msPerPixel = (plot: Span & { width: number }): number => lengthOf(plot) / plot.width

export const yOf = ({ top, height, low, high }: Plot, value: number): number =>
  top + ((high - value) / (high - low)) * height

/** Returns the time at a distance in pixels from the left of the plot. */
export const msAt = (plot: Plot, x: number): number => instantIn(plot, x / plot.width)

/** Returns the value at a distance in pixels from the top of the plot. */
export const valueAt = ({ low, high, height }: Plot, y: number): number => high - ((high - low) * y) / height
