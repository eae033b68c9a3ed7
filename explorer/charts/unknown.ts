// Hatches where the book is not known, so that nobody takes it for an empty one.

import type { DepthWindow } from '../data/depth-window.ts'
import { isDark } from '../state/theme.ts'
import type { Plot } from './heat-map.ts'

const APART_PX = 7

export function drawUnknown(context: CanvasRenderingContext2D, plot: Plot, windows: readonly DepthWindow[]): void {
  context.strokeStyle = isDark.value ? '#ffffff1f' : '#0000001f'
  context.lineWidth = devicePixelRatio
  for (const window of windows) for (const [fromMs, toMs] of unknownIn(window)) hatch(context, plot, fromMs, toMs)
}

/** The stretches of a window in which the book is not known, Unix ms. */
export function unknownIn({ startMs, resolutionMs, columns, known }: DepthWindow): [fromMs: number, toMs: number][] {
  const unknown: [number, number][] = []
  let next = 0
  for (const [first, last] of [...known, [columns, columns] as const]) {
    if (first > next) unknown.push([startMs + next * resolutionMs, startMs + first * resolutionMs])
    next = last + 1
  }
  return unknown
}

function hatch(context: CanvasRenderingContext2D, plot: Plot, fromMs: number, toMs: number): void {
  const perMs = plot.width / (plot.toMs - plot.fromMs)
  const left = Math.max(plot.left, plot.left + (fromMs - plot.fromMs) * perMs)
  const right = Math.min(plot.left + plot.width, plot.left + (toMs - plot.fromMs) * perMs)
  if (right <= left) return
  context.save()
  context.beginPath()
  context.rect(left, plot.top, right - left, plot.height)
  context.clip()
  context.beginPath()
  const apart = APART_PX * devicePixelRatio
  for (let x = Math.floor((left - plot.height) / apart) * apart; x < right; x += apart) {
    context.moveTo(x, plot.top + plot.height)
    context.lineTo(x + plot.height, plot.top)
  }
  context.stroke()
  context.restore()
}
