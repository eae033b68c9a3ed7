// One pane over time: axes and lines by uPlot, and what its owner draws under and over them. All panes have axes of one
// width, so that an instant is at one place in all of them.

import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import type { Span } from '../state/shown.ts'
import type { Plot } from './heat-map.ts'
import { tickStepMs, ticksMs, tickText } from './time-ticks.ts'

export const AXIS_WIDTH_PX = 62
const TIME_AXIS_PX = 26
const RIGHT_PX = 10
const TICKS_APART_PX = 96

export type Line = { stroke: string; width?: number; dash?: number[]; label: string }
export type Draw = (context: CanvasRenderingContext2D, plot: Plot) => void

export type PaneProps = {
  label: string
  heightPx: number
  span: Span
  zone: string
  values: { low: number; high: number }
  valueText: (value: number) => string
  /** Unix ms, then the values of each line, NaN where there is none. */
  data: readonly (readonly number[] | Float64Array)[]
  lines: readonly Line[]
  hasTimeAxis: boolean
  under?: Draw
  over?: Draw
  /** Called with what takes the pointer, once it is there. Returns what undoes it. */
  attach?: (surface: HTMLElement, plot: () => Plot) => () => void
}

/** `isDark` makes it anew: uPlot takes its colours once. */
export function Pane(props: PaneProps & { isDark: boolean }) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | null>(null)
  const latest = useRef<PaneProps>(props)
  latest.current = props

  useEffect(() => {
    const node = place.current!
    const made = new uPlot(optionsOf(node, latest), alignedData(props), node)
    chart.current = made
    const detach = props.attach?.(made.over, () => plotOf(made))
    const watch = new ResizeObserver(() => made.setSize({ width: node.clientWidth, height: latest.current.heightPx }))
    watch.observe(node)
    return () => {
      watch.disconnect()
      detach?.()
      made.destroy()
      chart.current = null
    }
  }, [props.isDark, props.hasTimeAxis, props.heightPx, props.lines.length])

  useEffect(() => {
    const made = chart.current
    if (made === null) return
    made.batch(() => {
      made.setData(alignedData(props), false)
      made.setScale('x', { min: props.span.fromMs, max: props.span.toMs })
      made.setScale('y', { min: props.values.low, max: props.values.high })
    })
    made.redraw(false, true)
  })

  return <div class="pane" ref={place} role="img" aria-label={props.label} />
}

const alignedData = ({ data }: PaneProps) => data as unknown as uPlot.AlignedData

function optionsOf(node: HTMLElement, latest: { current: PaneProps }): uPlot.Options {
  const { heightPx, hasTimeAxis, lines } = latest.current
  const style = getComputedStyle(node)
  const colours = { stroke: style.color, grid: { stroke: style.borderTopColor, width: 1 } }
  const font = `11px ${style.fontFamily}`
  return {
    width: Math.max(1, node.clientWidth),
    height: heightPx,
    ms: 1,
    padding: [6, RIGHT_PX, hasTimeAxis ? 0 : 4, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: () => [latest.current.span.fromMs, latest.current.span.toMs] },
      y: { range: () => [latest.current.values.low, latest.current.values.high] },
    },
    axes: [
      {
        ...colours,
        font,
        show: hasTimeAxis,
        size: TIME_AXIS_PX,
        splits: (u, _, min, max) =>
          ticksMs(min, max, tickStepMs(max - min, u.bbox.width / devicePixelRatio, TICKS_APART_PX)),
        values: (u, splits) => {
          const { fromMs, toMs } = latest.current.span
          const step = tickStepMs(toMs - fromMs, u.bbox.width / devicePixelRatio, TICKS_APART_PX)
          return splits.map((ms) => tickText(ms, step, latest.current.zone))
        },
      },
      {
        ...colours,
        font,
        size: AXIS_WIDTH_PX,
        values: (_, splits) => splits.map((value) => latest.current.valueText(value)),
      },
    ],
    series: [
      {},
      ...lines.map(({ stroke, width = 1.25, dash, label }) => ({
        ...{ label, stroke, width, points: { show: false }, spanGaps: false },
        ...(dash === undefined ? {} : { dash }),
      })),
    ],
    hooks: {
      drawClear: [(u) => drawn(u, latest.current.under)],
      draw: [(u) => drawn(u, latest.current.over)],
    },
  }
}

function drawn(u: uPlot, draw: Draw | undefined): void {
  if (draw === undefined) return
  const { left, top, width, height } = u.bbox
  u.ctx.save()
  u.ctx.beginPath()
  u.ctx.rect(left, top, width, height)
  u.ctx.clip()
  draw(u.ctx, { left, top, width, height, ...shown(u) })
  u.ctx.restore()
}

/** In CSS pixels, from the corner of what takes the pointer. */
function plotOf(u: uPlot): Plot {
  const { width, height } = u.bbox
  return { left: 0, top: 0, width: width / devicePixelRatio, height: height / devicePixelRatio, ...shown(u) }
}

const shown = (u: uPlot) => ({
  fromMs: u.scales['x']!.min!,
  toMs: u.scales['x']!.max!,
  low: u.scales['y']!.min!,
  high: u.scales['y']!.max!,
})
