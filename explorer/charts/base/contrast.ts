// Moves the smallest or largest size of a depth map's colour scale when the reader drags the legend.

export type CutOff = { lowest: number | null; highest: number | null }
export type Contrast = { cutOff: CutOff; faintest: number; highest: number }

/** Least ratio between the two sizes of a scale. */
const APART = 1.5
const SIZE_MIN = 0.01

/** Multiplies one end by a factor and rounds it to two digits. A lower end below the smallest visible size becomes
 *  null: no limit. */
export function draggedTo({ cutOff, faintest, highest }: Contrast, end: keyof CutOff, factor: number): CutOff {
  const rounded = (size: number) => Number(size.toPrecision(2))
  if (end === 'highest')
    return { ...cutOff, highest: rounded(Math.max((cutOff.lowest ?? SIZE_MIN) * APART, highest * factor)) }
  const lowest = rounded(Math.min(highest / APART, (cutOff.lowest ?? faintest) * factor))
  return { ...cutOff, lowest: lowest < SIZE_MIN ? null : lowest }
}
