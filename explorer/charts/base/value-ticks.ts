// Places the marks of the value axis.

const NICE = [1, 2, 2.5, 5] as const

/** Returns the smallest round step whose marks are at least `apartPx` apart; a multiple of `least`, if that is above
 *  0. */
export function valueStep(span: number, heightPx: number, apartPx: number, least = 0): number {
  const wanted = Math.max(least, (span * apartPx) / Math.max(1, heightPx))
  if (!(wanted > 0) || !Number.isFinite(wanted)) return 1
  for (let power = 10 ** Math.floor(Math.log10(wanted)); ; power *= 10) {
    const found = NICE.find((nice) => nice * power >= wanted * (1 - 1e-9) && isMultiple(nice * power, least))
    if (found !== undefined) return found * power
  }
}

/** Returns the marks of an axis that is too short for a row of marks: 0 and the largest round number on each side, in
 *  multiples of `least`. */
export function outerTicks(low: number, high: number, least = 0): number[] {
  const [below, above] = [largestNice(-low, least), largestNice(high, least)]
  return [...(below === 0 ? [] : [-below]), 0, ...(above === 0 ? [] : [above])]
}

/** Returns the largest round number up to a value; 0 if there is none. */
function largestNice(value: number, least: number): number {
  if (!(value > 0) || !Number.isFinite(value)) return 0
  const power = 10 ** Math.floor(Math.log10(value))
  const all = [power / 10, power].flatMap((each) => NICE.map((nice) => Number((nice * each).toPrecision(12))))
  return all.findLast((each) => each <= value * (1 + 1e-9) && isMultiple(each, least)) ?? 0
}

/** Returns the multiples of the step, ascending. */
export function valueTicks(low: number, high: number, step: number): number[] {
  const [first, last] = [Math.ceil(low / step - 1e-6), Math.floor(high / step + 1e-6)]
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => Number(((first + i) * step).toPrecision(12)))
}

/** Rounds a value to a multiple of `least`. Returns the value unchanged if `least` is 0. */
export const nearest = (value: number, least = 0): number =>
  least === 0 ? value : Number((Math.round(value / least) * least).toFixed(6))

function isMultiple(value: number, of: number): boolean {
  if (of === 0) return true
  const share = value / of
  return Math.abs(share - Math.round(share)) < 1e-6
}
