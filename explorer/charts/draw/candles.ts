// Draws candles: filled if the price fell, hollow if it rose, so that colour is not the only sign.

import { colours } from '../base/colours.ts'
import { msPerPixel, type Plot, xOf, yOf } from '../base/plot.ts'
import type { Candles } from '../base/price-columns.ts'
import { firstShown } from './lines.ts'

const WIDEST_PX = 18
const SHARE = 0.7

export function drawCandles(context: CanvasRenderingContext2D, plot: Plot, candles: Candles): void {
  const { times, resolutionMs } = candles
  const ink = colours()
  const { ratio } = plot
  const room = resolutionMs / msPerPixel(plot)
  const width = Math.max(ratio, Math.min(WIDEST_PX * ratio, Math.round(room * SHARE)))
  context.lineWidth = ratio
  for (let at = firstShown(times, plot.fromMs); at < times.length && times[at]! <= plot.toMs; at++) {
    const [open, close] = [candles.open[at]!, candles.close[at]!]
    if (Number.isNaN(open)) continue
    const isUp = close >= open
    const x = Math.round(xOf(plot, times[at]!) + room / 2) + 0.5
    const [top, bottom] = [yOf(plot, Math.max(open, close)), yOf(plot, Math.min(open, close))]
    context.strokeStyle = isUp ? ink.up : ink.down
    context.fillStyle = isUp ? ink.ground : ink.down
    context.beginPath()
    context.moveTo(x, yOf(plot, candles.high[at]!))
    context.lineTo(x, top)
    context.moveTo(x, bottom)
    context.lineTo(x, yOf(plot, candles.low[at]!))
    context.stroke()
    const height = Math.max(ratio, bottom - top)
    const left = Math.round(x - width / 2) - 0.5
    context.fillRect(left, top, width, height)
    context.strokeRect(left, top, width, height)
  }
}
