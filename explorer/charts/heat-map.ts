// Draws a window of the depth map as a picture with one pixel per cell, scaled into the plot.

import type { DepthWindow } from '../data/depth-window.ts'
import { msPerPixel, type Plot, xOf, yOf } from './base/plot.ts'
import { halfTick, rowHeights } from './base/row-heights.ts'
import { CODES, codesOf } from './base/size-codes.ts'

export type HeatMap = {
  window: DepthWindow
  /** The colour table. It is compared by identity: another table recolours the picture. */
  table: Uint32Array
  /** Returns the market's tick at a price in dollars; null if unknown. */
  tickAt: (dollars: number) => number | null
  /** The smallest tick in view. */
  tick: number | null
  /** The part of the window to draw; defaults to all of it. */
  fromMs?: number
  toMs?: number
}

/** `fold` is the number of columns that share a pixel. The pixel shows the largest size of these columns. */
type Picture = { canvas: OffscreenCanvas; table: Uint32Array; fold: number; lowestRow: number; rows: number }

const codes = new WeakMap<DepthWindow, Int16Array>()
const pictures = new WeakMap<DepthWindow, Picture>()

export function drawHeatMap(context: CanvasRenderingContext2D, plot: Plot, map: HeatMap): void {
  const { window, fromMs = window.startMs, toMs = window.endMs } = map
  if (window.prices.length === 0 || toMs < plot.fromMs || fromMs > plot.toMs) return
  const columnPx = window.resolutionMs / msPerPixel(plot)
  const { canvas, lowestRow, rows } = pictureOf(map, Math.max(1, Math.ceil(1 / columnPx - 0.01)))
  const left = xOf(plot, window.startMs)
  const half = halfTick(window, map.tick)
  const bottom = yOf(plot, lowestRow * window.priceStep - half)
  const top = yOf(plot, (lowestRow + rows) * window.priceStep - half)
  context.save()
  context.beginPath()
  const [start, end] = [xOf(plot, fromMs), xOf(plot, toMs)]
  context.rect(start, plot.top, end - start, plot.height)
  context.clip()
  context.imageSmoothingEnabled = false
  context.drawImage(canvas, left, top, window.columns * columnPx, bottom - top)
  context.restore()
}

/** Returns the row that contains a price, counted from 0 dollars. */
export const rowOf = (dollars: number, priceStep: number): number => Math.floor(dollars / priceStep + 1e-6)

function pictureOf({ window, table, tickAt }: HeatMap, fold: number): Picture {
  const known = pictures.get(window)
  if (known?.table === table && known.fold === fold) return known
  const heights = rowHeights(window.prices, window.priceStep, tickAt)
  const made = known?.fold === fold ? known : emptyPicture(window, heights, fold)
  colour(window, made, heights, table)
  made.table = table
  pictures.set(window, made)
  return made
}

function emptyPicture({ prices, priceStep, columns }: DepthWindow, heights: Uint16Array, fold: number): Picture {
  const lowestRow = rowOf(prices[0]!, priceStep)
  const rows = rowOf(prices.at(-1)!, priceStep) - lowestRow + heights.at(-1)!
  const canvas = new OffscreenCanvas(Math.ceil(columns / fold), rows)
  return { canvas, table: new Uint32Array(0), fold, lowestRow, rows }
}

/** Colours the pixels. The first row of the canvas is the highest price. */
function colour(
  window: DepthWindow,
  { canvas, fold, lowestRow, rows }: Picture,
  heights: Uint16Array,
  table: Uint32Array,
) {
  const { prices, priceStep, columns } = window
  const cells = codes.get(window) ?? codesOf(window.sizes)
  codes.set(window, cells)
  const width = canvas.width
  const pixels = new Uint32Array(width * rows)
  for (let index = 0; index < prices.length; index++) {
    const lowest = rows - 1 - (rowOf(prices[index]!, priceStep) - lowestRow)
    const to = lowest * width
    const from = index * columns
    if (fold === 1) for (let x = 0; x < columns; x++) pixels[to + x] = table[cells[from + x]! + CODES]!
    else
      for (let x = 0; x < width; x++)
        pixels[to + x] = table[largest(cells, from + x * fold, from + columns, fold) + CODES]!
    for (let above = 1; above < heights[index]!; above++) pixels.copyWithin(to - above * width, to, to + width)
  }
  const image = new ImageData(new Uint8ClampedArray(pixels.buffer), width, rows)
  canvas.getContext('2d')!.putImageData(image, 0, 0)
}

/** Returns the code of the largest size, of either side. */
function largest(cells: Int16Array, from: number, rowEnd: number, fold: number): number {
  let found = 0
  const end = Math.min(rowEnd, from + fold)
  for (let at = from; at < end; at++) if (Math.abs(cells[at]!) > Math.abs(found)) found = cells[at]!
  return found
}
