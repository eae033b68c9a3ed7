// A window of the depth map as a picture: one pixel a cell, drawn scaled into the plot.

import type { DepthWindow } from '../data/depth-window.ts'
import { CODES, codesOf } from './size-codes.ts'

type Picture = { canvas: OffscreenCanvas; table: Uint32Array; lowestRow: number; rows: number }

const codes = new WeakMap<DepthWindow, Int16Array>()
const pictures = new WeakMap<DepthWindow, Picture>()

/** Where the plot is on the canvas, and what of price and time it shows. */
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

/** `table` is compared by identity: another one colours the picture anew. */
export function drawHeatMap(
  context: CanvasRenderingContext2D,
  plot: Plot,
  window: DepthWindow,
  table: Uint32Array,
): void {
  if (window.prices.length === 0) return
  const { canvas, lowestRow, rows } = pictureOf(window, table)
  const perMs = plot.width / (plot.toMs - plot.fromMs)
  const perDollar = plot.height / (plot.high - plot.low)
  const left = plot.left + (window.startMs - plot.fromMs) * perMs
  const width = window.columns * window.resolutionMs * perMs
  const bottom = plot.top + plot.height - (lowestRow * window.priceStep - plot.low) * perDollar
  const height = rows * window.priceStep * perDollar
  context.imageSmoothingEnabled = false
  context.drawImage(canvas, left, bottom - height, width, height)
}

/** The row that holds a price, counted from 0 dollars. */
export const rowOf = (dollars: number, priceStep: number): number => Math.floor(dollars / priceStep + 1e-6)

/** The size in the cell at an instant and a price: undefined outside, 0 where nothing rested. */
export function sizeIn(window: DepthWindow, ms: number, dollars: number): number | undefined {
  const column = Math.floor((ms - window.startMs) / window.resolutionMs)
  if (column < 0 || column >= window.columns) return undefined
  const row = rowOf(dollars, window.priceStep)
  const index = window.prices.findIndex((price) => rowOf(price, window.priceStep) === row)
  return index === -1 ? 0 : window.sizes[index * window.columns + column]!
}

function pictureOf(window: DepthWindow, table: Uint32Array): Picture {
  const kept = pictures.get(window)
  if (kept?.table === table) return kept
  const made = kept ?? emptyPicture(window)
  colour(window, made, table)
  made.table = table
  pictures.set(window, made)
  return made
}

function emptyPicture({ prices, priceStep, columns }: DepthWindow): Picture {
  const lowestRow = rowOf(prices[0]!, priceStep)
  const rows = rowOf(prices.at(-1)!, priceStep) - lowestRow + 1
  return { canvas: new OffscreenCanvas(columns, rows), table: new Uint32Array(0), lowestRow, rows }
}

/** The first row of a canvas is at its top, where the highest price is. */
function colour(window: DepthWindow, { canvas, lowestRow, rows }: Picture, table: Uint32Array): void {
  const { prices, priceStep, columns } = window
  const cells = codes.get(window) ?? codesOf(window.sizes)
  codes.set(window, cells)
  const pixels = new Uint32Array(columns * rows)
  for (let index = 0; index < prices.length; index++) {
    const to = (rows - 1 - (rowOf(prices[index]!, priceStep) - lowestRow)) * columns
    const from = index * columns
    for (let column = 0; column < columns; column++) pixels[to + column] = table[cells[from + column]! + CODES]!
  }
  const image = new ImageData(new Uint8ClampedArray(pixels.buffer), columns, rows)
  canvas.getContext('2d')!.putImageData(image, 0, 0)
}
