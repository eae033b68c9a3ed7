// Colours of resting sizes. Bids are blue and asks orange, two hues that stay apart in all common colour-vision
// deficiencies; lightness rises with size on a dark page and falls on a light one. The others have one hue for both.

import type { Stretch } from '../state/view.ts'
import { CODES, codeOf } from './base/size-codes.ts'

type Colour = readonly [red: number, green: number, blue: number]
type Ramp = readonly Colour[]

/** From the smallest size drawn to the largest. */
const SIDES: Record<'dark' | 'light', { bid: Ramp; ask: Ramp }> = {
  dark: {
    bid: [
      [14, 28, 51],
      [20, 64, 120],
      [38, 118, 196],
      [104, 178, 240],
      [205, 234, 255],
    ],
    ask: [
      [46, 25, 10],
      [110, 56, 14],
      [190, 100, 22],
      [244, 160, 72],
      [255, 226, 190],
    ],
  },
  light: {
    bid: [
      [228, 239, 250],
      [168, 206, 240],
      [88, 156, 218],
      [30, 100, 176],
      [8, 42, 92],
    ],
    ask: [
      [253, 238, 222],
      [248, 204, 152],
      [234, 146, 66],
      [184, 90, 16],
      [92, 40, 4],
    ],
  },
}
const VIRIDIS: Ramp = [
  [68, 1, 84],
  [59, 82, 139],
  [33, 145, 140],
  [94, 201, 98],
  [253, 231, 37],
]
const GREYS: Record<'dark' | 'light', Ramp> = {
  dark: [
    [28, 32, 38],
    [88, 94, 102],
    [150, 156, 164],
    [206, 210, 216],
    [255, 255, 255],
  ],
  light: [
    [238, 240, 242],
    [190, 194, 200],
    [130, 136, 144],
    [74, 80, 88],
    [8, 10, 14],
  ],
}

/** Above 1 keeps the bright colours for what is truly large. */
const CONTRAST = 1.5

export type Shades = {
  palette: Stretch['palette']
  isDark: boolean
  /** Contracts: from which a cell is drawn, up to which it has the first colour, and from which the last. */
  lowest: number
  faintest: number
  highest: number
}

/** RGBA, little-endian, by `code + CODES`; 0, which is transparent, where nothing is drawn. */
export function colourTable({ palette, isDark, lowest, faintest, highest }: Shades): Uint32Array {
  const table = new Uint32Array(2 * CODES + 1)
  const [first, last] = [codeOf(faintest), codeOf(highest)]
  const ramps = rampsOf(palette, isDark)
  for (let code = Math.max(1, codeOf(lowest)); code <= CODES; code++) {
    const place = last <= first ? 1 : Math.max(0, Math.min(1, (code - first) / (last - first))) ** CONTRAST
    table[CODES + code] = packed(colourAt(ramps.bid, place))
    table[CODES - code] = packed(colourAt(ramps.ask, place))
  }
  return table
}

function rampsOf(palette: Stretch['palette'], isDark: boolean): { bid: Ramp; ask: Ramp } {
  const theme = isDark ? 'dark' : 'light'
  if (palette === 'sides') return SIDES[theme]
  const ramp = palette === 'grey' ? GREYS[theme] : isDark ? VIRIDIS : VIRIDIS.toReversed()
  return { bid: ramp, ask: ramp }
}

/** A CSS gradient each: bids have their brightest at the left, asks at the right. */
export function gradientOf(palette: Stretch['palette'], isDark: boolean): { bid: string; ask: string } {
  const { bid, ask } = rampsOf(palette, isDark)
  const text = (ramp: Ramp) => ramp.map((colour) => `rgb(${colour.join(' ')})`).join(', ')
  return {
    bid: `linear-gradient(to left, ${text(bid)})`,
    ask: `linear-gradient(to right, ${text(ask)})`,
  }
}

/** `place` is from 0 to 1. */
function colourAt(ramp: Ramp, place: number): Colour {
  const at = place * (ramp.length - 1)
  const index = Math.min(ramp.length - 2, Math.floor(at))
  const [from, to] = [ramp[index]!, ramp[index + 1]!]
  const mix = (channel: 0 | 1 | 2) => Math.round(from[channel] + (to[channel] - from[channel]) * (at - index))
  return [mix(0), mix(1), mix(2)]
}

const packed = ([red, green, blue]: Colour): number => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0

/** Of all sizes that rest, those at two shares of them in order: few are smaller than one or larger than the other. */
export function sizesAtShares(sizes: Float32Array, shares: readonly [number, number]): [number, number] {
  const step = Math.max(1, Math.floor(sizes.length / SAMPLES_MAX))
  const found: number[] = []
  for (let at = 0; at < sizes.length; at += step) if (sizes[at] !== 0) found.push(Math.abs(sizes[at]!))
  if (found.length === 0) return [1, 1]
  const sorted = Float64Array.from(found).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
  return [at(shares[0]), at(shares[1])]
}

const SAMPLES_MAX = 30_000
