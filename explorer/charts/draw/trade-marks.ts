// Draws trades as marks whose area follows the contracts: a triangle up if the taker bought, down if the taker sold,
// a ring if the venue does not say. If there are many trades, one mark shows all trades within a few pixels of
// time. A mark of both sides is a disc: the part above its line was bought, the part below sold. So the side is never
// shown by hue alone.

import type { EachTrade, TradeWindow } from '../../data/buckets/bucket-window.ts'
import type { Side } from '../../data/columns/trade-columns.ts'
import { recordAt } from '../../data/columns/trade-columns.ts'
import { type Colours, colours } from '../base/colours.ts'
import { msPerPixel, type Plot, xOf, yOf } from '../base/plot.ts'

const SMALLEST_PX = 2.2
const LARGEST_PX = 10
const LARGEST_DISC_PX = 6.5
const APART_PX = 10
/** The quantile of sizes on screen that gets the largest mark: otherwise one giant trade would turn all others
 *  into dots. */
const LARGEST_SHARE = 0.98

/** Position and radius in canvas pixels. `ratio` is the number of canvas pixels per page pixel. */
type Place = { x: number; y: number; radius: number; ratio: number }
/** One trade, or `count` trades at their mean price. `record` is null for several trades. */
export type TradeMark = Place & {
  ms: number
  price: number
  size: number
  count: number
  bought: number
  sold: number
  record: number | null
}

/** Returns a mark for each trade, largest first, so that none hides a smaller one. */
export function marksOfEach(plot: Plot, windows: readonly EachTrade[]): TradeMark[] {
  const shown: Omit<TradeMark, keyof Place>[] = []
  for (const { timestamp, price, size, side, record, rows } of windows) {
    for (let row = 0; row < rows; row++) {
      const ms = timestamp[row]!
      if (ms < plot.fromMs || ms > plot.toMs) continue
      const contracts = size[row]!
      const [bought, sold] = [side[row] === 'buy' ? contracts : 0, side[row] === 'sell' ? contracts : 0]
      shown.push({
        ms,
        price: price[row]!,
        size: contracts,
        count: 1,
        bought,
        sold,
        record: recordAt(record, row),
      })
    }
  }
  return placed(plot, shown, LARGEST_PX).sort((a, b) => b.size - a.size)
}

function placed(plot: Plot, shown: readonly Omit<TradeMark, keyof Place>[], largestPx: number): TradeMark[] {
  const radius = radiusOf(
    shown.map(({ size }) => size),
    largestPx,
  )
  return shown.map((each) => {
    const place = { x: xOf(plot, each.ms), y: yOf(plot, each.price), radius: radius(each.size) * plot.ratio }
    return { ...each, ...place, ratio: plot.ratio }
  })
}

export function drawTradeMarks(context: CanvasRenderingContext2D, marks: readonly TradeMark[]): void {
  const ink = colours()
  for (const mark of marks) {
    const shares = { bought: mark.bought / mark.size, sold: mark.sold / mark.size }
    const only = sideOf(shares)
    if (only === undefined) drawDisc(context, mark, shares, ink)
    else drawMark(context, only, mark, ink)
  }
}

/** Returns the topmost mark at a position. */
export function markAt(marks: readonly TradeMark[], x: number, y: number): TradeMark | undefined {
  return marks.findLast((mark) => Math.hypot(mark.x - x, mark.y - y) <= mark.radius + NEAR_PX * mark.ratio)
}

const NEAR_PX = 2

function drawMark(context: CanvasRenderingContext2D, side: Side, { x, y, radius, ratio }: Place, ink: Colours): void {
  context.beginPath()
  if (side === null) context.arc(x, y, radius, 0, 2 * Math.PI)
  else {
    const up = side === 'buy' ? -1 : 1
    context.moveTo(x, y + up * radius * 1.15)
    context.lineTo(x - radius, y - up * radius * 0.75)
    context.lineTo(x + radius, y - up * radius * 0.75)
    context.closePath()
  }
  context.lineWidth = 3 * ratio
  context.strokeStyle = ink.halo
  context.stroke()
  if (side === null) {
    context.lineWidth = 1.5 * ratio
    context.strokeStyle = ink.noSide
    context.stroke()
    return
  }
  context.fillStyle = side === 'buy' ? ink.up : ink.down
  context.fill()
}

type Disc = { ms: number; notional: number; volume: number; bought: number; sold: number; count: number }

/** Returns marks for trades in buckets: one mark for all trades within a few pixels of time. */
export function marksOfBuckets(plot: Plot, windows: readonly TradeWindow[]): TradeMark[] {
  const discs = discsOf(plot, windows).map(({ notional, volume, ...disc }) => {
    return { ...disc, price: notional / volume, size: volume, record: null }
  })
  return placed(plot, discs, LARGEST_DISC_PX)
}

/** Returns the side of all contracts of a mark, null if the venue gives no side; undefined if the sides differ. */
function sideOf({ bought, sold }: { bought: number; sold: number }): Side | undefined {
  if (bought > ALMOST_ALL) return 'buy'
  if (sold > ALMOST_ALL) return 'sell'
  return bought + sold < 1 - ALMOST_ALL ? null : undefined
}

/** Share of the contracts that counts as all of them, because sums of contracts are not exact. */
const ALMOST_ALL = 1 - 1e-9

/** Merges the buckets within a few pixels of time. */
function discsOf(plot: Plot, windows: readonly TradeWindow[]): Disc[] {
  const discs: Disc[] = []
  const apartMs = msPerPixel(plot) * APART_PX * plot.ratio
  let endMs = -Infinity
  for (const { timestamp, vwap, volume, buyVolume, sellVolume, count, rows, resolutionMs } of windows) {
    for (let row = 0; row < rows; row++) {
      const ms = timestamp[row]! + resolutionMs / 2
      if (ms < plot.fromMs || ms > plot.toMs || !(volume[row]! > 0)) continue
      if (ms >= endMs) {
        endMs = (Math.floor(ms / apartMs) + 1) * apartMs
        discs.push({ ms: Math.max(ms, endMs - apartMs / 2), notional: 0, volume: 0, bought: 0, sold: 0, count: 0 })
      }
      const disc = discs.at(-1)!
      disc.notional += vwap[row]! * volume[row]!
      disc.volume += volume[row]!
      disc.bought += buyVolume[row]!
      disc.sold += sellVolume[row]!
      disc.count += count[row]!
    }
  }
  return discs
}

function drawDisc(
  context: CanvasRenderingContext2D,
  { x, y, radius, ratio }: Place,
  { bought, sold }: { bought: number; sold: number },
  ink: Colours,
): void {
  context.beginPath()
  context.arc(x, y, radius + ratio, 0, 2 * Math.PI)
  context.fillStyle = ink.halo
  context.fill()
  const part = (from: number, to: number, fill: string) => {
    if (to <= from) return
    // Angles, measured from the top of the disc, at which the part starts and ends. `from` and `to` are heights below
    // the top, as shares of the diameter.
    const [a, b] = [Math.acos(1 - 2 * from), Math.acos(1 - 2 * Math.min(1, to))]
    context.beginPath()
    context.arc(x, y, radius, -Math.PI / 2 + a, -Math.PI / 2 + b)
    context.arc(x, y, radius, -Math.PI / 2 - b, -Math.PI / 2 - a)
    context.closePath()
    context.fillStyle = fill
    context.fill()
  }
  part(0, bought, ink.up)
  part(bought, 1 - sold, ink.noSide)
  part(1 - sold, 1, ink.down)
  context.fillStyle = ink.ground
  for (const share of bought + sold < ALMOST_ALL ? [bought, 1 - sold] : [bought]) {
    const [height, width] = [(2 * share - 1) * radius, 2 * radius * Math.sqrt(share * (1 - share))]
    context.fillRect(x - width, y + height - ratio / 2, 2 * width, ratio)
  }
}

/** Returns a function from a size to a radius in page pixels; the area is proportional to the size. */
function radiusOf(sizes: number[], largestPx: number): (size: number) => number {
  const sorted = Float64Array.from(sizes).sort()
  const largest = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * LARGEST_SHARE))] ?? 1
  return (size) => Math.max(SMALLEST_PX, Math.min(1, Math.sqrt(size / largest)) * largestPx)
}
