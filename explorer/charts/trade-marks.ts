// Trades as marks: a triangle that points up where takers bought more of a bucket than they sold, and down where they
// sold more; its area follows the contracts.

import type { TradeWindow } from '../data/trade-windows.ts'
import { isDark } from '../state/theme.ts'
import type { Plot } from './heat-map.ts'

const SMALLEST_PX = 2.5
const LARGEST_PX = 9

export function drawTrades(context: CanvasRenderingContext2D, plot: Plot, windows: readonly TradeWindow[]): void {
  const largest = windows.reduce((max, { volume }) => volume.reduce((a, b) => Math.max(a, b), max), 0)
  context.lineWidth = devicePixelRatio
  context.strokeStyle = isDark.value ? '#0b0e14' : '#ffffff'
  for (const window of windows) {
    for (let row = 0; row < window.rows; row++) {
      const ms = window.timestamp[row]! + Math.max(1_000, window.resolutionMs) / 2
      if (ms < plot.fromMs || ms > plot.toMs) continue
      const x = plot.left + ((ms - plot.fromMs) / (plot.toMs - plot.fromMs)) * plot.width
      const y = plot.top + ((plot.high - window.vwap[row]!) / (plot.high - plot.low)) * plot.height
      const isUp = window.buyVolume[row]! >= window.sellVolume[row]!
      const half = Math.max(SMALLEST_PX, Math.sqrt(window.volume[row]! / largest) * LARGEST_PX) * devicePixelRatio
      context.fillStyle = isUp ? '#38d39f' : '#ff6b81'
      context.beginPath()
      context.moveTo(x, isUp ? y - half : y + half)
      context.lineTo(x - half, isUp ? y + half * 0.7 : y - half * 0.7)
      context.lineTo(x + half, isUp ? y + half * 0.7 : y - half * 0.7)
      context.closePath()
      context.fill()
      context.stroke()
    }
  }
}
