// Draws the mid of a market over a day in the size of a word, beside the exact numbers.

import { useLayoutEffect, useRef } from 'preact/hooks'
import { colours } from '../charts/base/colours.ts'
import type { Plot } from '../charts/base/plot.ts'
import { drawStepped } from '../charts/draw/lines.ts'
import { cleared } from '../charts/pane/pane.tsx'
import type { Span } from '../state/shown.ts'

const [WIDTH_PX, HEIGHT_PX] = [120, 24]

type SparkProps = { times: Float64Array; mids: Float64Array; span: Span; bucketMs: number }

export function SparkLine({ times, mids, span, bucketMs }: SparkProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useLayoutEffect(() => {
    const context = cleared(canvas.current!, WIDTH_PX, HEIGHT_PX)
    const { width, height } = canvas.current!
    const plot: Plot = { left: 0, top: 1, width, height: height - 2, ...span, low: 0, high: 1, ratio: devicePixelRatio }
    const line = { times, values: mids, resolutionMs: bucketMs }
    drawStepped(context, plot, line, { stroke: colours().bid, width: 1.5 })
  })
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label="The mid over the day"
      style={{ width: `${WIDTH_PX}px`, height: `${HEIGHT_PX}px` }}
    />
  )
}
