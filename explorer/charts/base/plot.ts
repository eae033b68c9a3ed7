// Where a plot is on its canvas, and what of time and values it shows. Pixels are those of the canvas in what is drawn,
// and those of the page, from the corner of the plot, in what the pointer does.

export type Plot = {
  left: number
  top: number
  width: number
  height: number
  fromMs: number
  toMs: number
  low: number
  high: number
}

export const xOf = ({ left, width, fromMs, toMs }: Plot, ms: number): number =>
  left + ((ms - fromMs) / (toMs - fromMs)) * width

export const yOf = ({ top, height, low, high }: Plot, value: number): number =>
  top + ((high - value) / (high - low)) * height

/** At a distance from the left of the plot. */
export const msAt = ({ fromMs, toMs, width }: Plot, x: number): number =>
  Math.round(fromMs + ((toMs - fromMs) * x) / width)

/** At a distance from the top of the plot. */
export const valueAt = ({ low, high, height }: Plot, y: number): number => high - ((high - low) * y) / height
