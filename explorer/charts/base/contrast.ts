// The sizes between which the colours of a depth map go.

export type CutOff = { lowest: number | null; highest: number | null }
export type Contrast = { cutOff: CutOff; faintest: number; highest: number }

/** Two sizes of a scale are at least so far apart. */
const APART = 1.5
const SIZE_MIN = 0.01

/** One end times a factor, of two digits. What is below the smallest size that one can see is no limit. */
export function draggedTo({ cutOff, faintest, highest }: Contrast, end: keyof CutOff, factor: number): CutOff {
  const rounded = (size: number) => Number(size.toPrecision(2))
  if (end === 'highest')
    return { ...cutOff, highest: rounded(Math.max((cutOff.lowest ?? SIZE_MIN) * APART, highest * factor)) }
  const lowest = rounded(Math.min(highest / APART, (cutOff.lowest ?? faintest) * factor))
  return { ...cutOff, lowest: lowest < SIZE_MIN ? null : lowest }
}
