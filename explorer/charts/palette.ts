// Colours of resting sizes. Bids are blue and asks orange, two hues that stay distinct in all common colour-vision
// deficiencies. Larger sizes are lighter on a dark page and darker on a light one. The other palettes use the same
// colours for both sides.

import type { Stretch } from '../state/view.ts'
import { CODES, codeOf } from './base/size-codes.ts'

type Ramp = readonly string[]
type Colour = readonly number[]

/** Colours from the smallest size drawn to the largest. */
const SIDES: Record<'dark' | 'light', { bid: Ramp; ask: Ramp }> = {
  dark: {
    bid: ['#0e1c33', '#144078', '#2676c4', '#68b2f0', '#cdeaff'],
    ask: ['#2e190a', '#6e380e', '#be6416', '#f4a048', '#ffe2be'],
  },
  light: {
    bid: ['#e4effa', '#a8cef0', '#589cda', '#1e64b0', '#082a5c'],
    ask: ['#fdeede', '#f8cc98', '#ea9242', '#b85a10', '#5c2804'],
  },
}
const VIRIDIS: Ramp = ['#440154', '#3b528b', '#21918c', '#5ec962', '#fde725']
const GREYS: Record<'dark' | 'light', Ramp> = {
  dark: ['#1c2026', '#585e66', '#969ca4', '#ced2d8', '#ffffff'],
  light: ['#eef0f2', '#bec2c8', '#828890', '#4a5058', '#080a0e'],
}

/** An exponent above 1 reserves the bright colours for truly large sizes. */
const CONTRAST = 1.5

export type Shades = {
  palette: Stretch['palette']
  isDark: boolean
  /** Sizes in contracts. Cells smaller than `lowest` are not drawn. A cell has the first colour up to `faintest`,
   *  and the last colour from `highest` on. */
  lowest: number
  faintest: number
  highest: number
}

/** Returns RGBA values, little-endian, indexed by `code + CODES`; 0 (transparent) where nothing is drawn. */
export function colourTable({ palette, isDark, lowest, faintest, highest }: Shades): Uint32Array {
  const table = new Uint32Array(2 * CODES + 1)
  const [first, last] = [codeOf(faintest), codeOf(highest)]
  const ramps = rampsOf(palette, isDark)
  const [bid, ask] = [ramps.bid.map(channelsOf), ramps.ask.map(channelsOf)]
  for (let code = Math.max(1, codeOf(lowest)); code <= CODES; code++) {
    const place = last <= first ? 1 : Math.max(0, Math.min(1, (code - first) / (last - first))) ** CONTRAST
    table[CODES + code] = packed(colourAt(bid, place))
    table[CODES - code] = packed(colourAt(ask, place))
  }
  return table
}

function rampsOf(palette: Stretch['palette'], isDark: boolean): { bid: Ramp; ask: Ramp } {
  const theme = isDark ? 'dark' : 'light'
  if (palette === 'sides') return SIDES[theme]
  const ramp = palette === 'grey' ? GREYS[theme] : isDark ? VIRIDIS : VIRIDIS.toReversed()
  return { bid: ramp, ask: ramp }
}

/** Returns one CSS gradient per side: bids are brightest at the left, asks at the right. */
export function gradientOf(palette: Stretch['palette'], isDark: boolean): { bid: string; ask: string } {
  const { bid, ask } = rampsOf(palette, isDark)
  return { bid: `linear-gradient(to left, ${bid})`, ask: `linear-gradient(to right, ${ask})` }
}

/** Returns red, green and blue, each from 0 to 255. */
const channelsOf = (hex: string): Colour => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))

/** Returns the colour at `place`: 0 is the first colour of the ramp, 1 the last. */
function colourAt(ramp: readonly Colour[], place: number): Colour {
  const at = place * (ramp.length - 1)
  const index = Math.min(ramp.length - 2, Math.floor(at))
  const [from, to] = [ramp[index]!, ramp[index + 1]!]
  return from.map((channel, i) => Math.round(channel + (to[i]! - channel) * (at - index)))
}

const packed = ([red = 0, green = 0, blue = 0]: Colour): number =>
  ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0

/** Returns the quantiles of the resting sizes at two shares; [1, 1] if nothing rests. Takes a sample if there are
 *  many. */
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
