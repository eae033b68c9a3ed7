// Where a plot is on its canvas, and what of time and values it shows. Pixels are those of the canvas in what is drawn,
// and those of the page, from the corner of the plot, in what the pointer does.

import type { Span } from '../../state/shown.ts'
import { instantIn, lengthOf, shareOf } from '../../state/time-axis.ts'

export type Plot = Span & {
  left: number
  top: number
  width: number
  height: number
  low: number
  high: number
}

export const xOf = (plot: Plot, ms: number): number => plot.left + shareOf(plot, ms) * plot.width

/** Outside of folds. */
export const msPerPixel = (plot: Span & { width: number }): number => lengthOf(plot) / plot.width

export const yOf = ({ top, height, low, high }: Plot, value: number): number =>
  top + ((high - value) / (high - low)) * height

/** At a distance from the left of the plot. */
export const msAt = (plot: Plot, x: number): number => instantIn(plot, x / plot.width)

/** At a distance from the top of the plot. */
export const valueAt = ({ low, high, height }: Plot, y: number): number => high - ((high - low) * y) / height
