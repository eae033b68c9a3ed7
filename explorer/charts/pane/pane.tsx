// Draws one pane over time: grid, axes, lines, and its owner's drawings under and over them. All panes have axes of the
// same width, so that an instant has the same x in each.
//
// There is no chart library: lines that break where the book is unknown, bars, candles and the depth map need code of
// our own in any case, and a library for the axes alone took 22 of the page's 75 KB budget.

import type { Signal } from '@preact/signals'
import { effect } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useWidth } from '../../panels/use-size.ts'
import type { Span } from '../../state/shown.ts'
import { lengthOf } from '../../state/time-axis.ts'
import { clockText } from '../../state/time-text.ts'
import { colours } from '../base/colours.ts'
import type { Crosshair } from '../base/hovered.ts'
import { type Plot, xOf, yOf } from '../base/plot.ts'
import { tickStepMs, ticksMs, tickText } from '../base/time-ticks.ts'
import { nearest, outerTicks, valueStep, valueTicks } from '../base/value-ticks.ts'
import { drawAxes, drawGrid, drawTag, drawValueTags, type Mark, type Tag } from '../draw/axes.ts'
import { drawFolds } from '../draw/folds.ts'
import { drawHalo, drawStepped } from '../draw/lines.ts'

const AXIS_WIDTH_PX = 72

/** Returns the width of the plot: the pane's width without the axes. */
export const plotWidth = (widthPx: number, hasLeftAxis = false): number =>
  widthPx - (hasLeftAxis ? 2 : 1) * AXIS_WIDTH_PX

const TIME_AXIS_PX = 24
const TOP_PX = 6
const LINE_PX = 1.25
const BOTTOM_PX = 6
const TIMES_APART_PX = 96
const VALUES_APART_PX = 34
/** On the value axis, a plot lower than this has marks only at 0 and at the largest round number on each side. */
const LOW_PX = 56

export type Line = { stroke: string; width?: number; dash?: number[] }
export type Draw = (context: CanvasRenderingContext2D, plot: Plot) => void
/** Attaches listeners to a pane; returns a function that detaches them. `pane` is the pane's label. */
export type Attach = (surface: HTMLElement, plot: () => Plot, pane: string) => () => void

export type PaneProps = {
  label: string
  /** Shown in the pane's corner. */
  name?: string
  heightPx: number
  span: Span
  zone: string
  values: { low: number; high: number }
  valueText: (value: number) => string
  /** Least distance between two marks of the axis. */
  valueLeast?: number
  /** Times in Unix ms, then the values of each line, NaN where there is none. */
  data?: readonly (readonly number[] | Float64Array)[]
  lines?: readonly Line[]
  /** Length of a bucket of `data`; absent if a value holds until the next one. */
  resolutionMs?: number
  hasTimeAxis?: boolean
  /** Shows the value axis on both sides. */
  hasLeftAxis?: boolean
  /** Returns the values that have a label on the axis. Called in an effect: it may read signals. */
  tags?: () => readonly (Tag & { value: number })[]
  under?: Draw
  over?: Draw
  crosshair?: Signal<Crosshair | null>
  /** Called with the surface that receives the pointer, once it is mounted. Returns a function that detaches the
   *  listeners. */
  attach?: Attach
  /** Like `attach`, for the value axis. */
  attachAxis?: Attach
}

/** Maps each pane of the page to a function that draws the pane on a new canvas, for a picture. `ratio` is the
 *  number of canvas pixels per page pixel. Adds the pane's tags, and a tag for the instant `ms` if it is not null. */
export const painters = new WeakMap<Element, (ratio: number, ms: number | null) => HTMLCanvasElement>()

export function Pane(props: PaneProps) {
  const place = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const overlay = useRef<HTMLCanvasElement>(null)
  const surface = useRef<HTMLDivElement>(null)
  const axis = useRef<HTMLDivElement>(null)
  const latest = useRef<PaneProps>(props)
  latest.current = props
  const widthPx = useWidth(place)
  const plot = plotOf(props, widthPx, 1)

  useEffect(() => {
    const now = () => ({ ...plotOf(latest.current, place.current!.clientWidth, 1), left: 0, top: 0 })
    const { label, attach, attachAxis } = props
    const detach = [attach?.(surface.current!, now, label), attachAxis?.(axis.current!, now, label)]
    return () => {
      for (const each of detach) each?.()
    }
  }, [])
  useLayoutEffect(() => {
    if (widthPx === 0) return
    draw(canvas.current!, latest.current, widthPx)
    painters.set(place.current!, (ratio, ms) => painted(latest.current, widthPx, ratio, ms))
  })
  useEffect(
    () =>
      effect(() => {
        const at = latest.current.crosshair?.value ?? null
        const tags = latest.current.tags?.() ?? []
        // The effect of an unmounted pane runs once more when a signal that it read changes.
        if (widthPx > 0 && overlay.current !== null) drawOverlay(overlay.current, latest.current, widthPx, { at, tags })
      }),
    [plot.width, widthPx, props.heightPx, props.span.fromMs, props.span.toMs, props.values.low, props.values.high],
  )

  const [left, right] = [`${plot.left}px`, `${plot.left + plot.width}px`]
  const box = { left, top: `${plot.top}px`, width: `${Math.max(0, plot.width)}px`, height: `${plot.height}px` }
  return (
    <div class="pane" ref={place} style={{ height: `${props.heightPx}px` }}>
      <canvas ref={canvas} role="img" aria-label={props.label} />
      <canvas ref={overlay} />
      {props.name !== undefined && (
        <span class="pane-name" style={{ left: `${plot.left + 6}px` }}>
          {props.name}
        </span>
      )}
      <div ref={surface} class="surface" style={box} />
      <div
        ref={axis}
        class={props.attachAxis === undefined ? 'axis' : 'axis draggable'}
        style={{ ...box, left: right, width: `${AXIS_WIDTH_PX}px` }}
      />
    </div>
  )
}

type Measures = Pick<PaneProps, 'heightPx' | 'hasTimeAxis' | 'hasLeftAxis' | 'span' | 'values'>

/** `ratio` is the number of plot pixels per page pixel. */
export function plotOf(
  { heightPx, hasTimeAxis = false, hasLeftAxis = false, span, values }: Measures,
  widthPx: number,
  ratio: number,
): Plot {
  const below = hasTimeAxis ? TIME_AXIS_PX : BOTTOM_PX
  return {
    left: hasLeftAxis ? Math.round(AXIS_WIDTH_PX * ratio) : 0,
    top: Math.round(TOP_PX * ratio),
    width: Math.max(1, Math.round(plotWidth(widthPx, hasLeftAxis) * ratio)),
    height: Math.max(1, Math.round((heightPx - TOP_PX - below) * ratio)),
    ...span,
    ...values,
    ratio,
  }
}

/** Clears a canvas and resizes it to its element. */
export function cleared(
  canvas: HTMLCanvasElement,
  widthPx: number,
  heightPx: number,
  ratio = devicePixelRatio,
): CanvasRenderingContext2D {
  const [width, height] = [Math.round(widthPx * ratio), Math.round(heightPx * ratio)]
  const context = canvas.getContext('2d')!
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width
    canvas.height = height
  } else context.clearRect(0, 0, width, height)
  return context
}

function draw(canvas: HTMLCanvasElement, props: PaneProps, widthPx: number, ratio = devicePixelRatio): void {
  const context = cleared(canvas, widthPx, props.heightPx, ratio)
  const plot = plotOf(props, widthPx, ratio)
  const { times, values } = marksOf(props, plot)
  context.save()
  context.beginPath()
  context.rect(plot.left, plot.top, plot.width, plot.height)
  context.clip()
  if (props.under !== undefined) isolated(context, plot, props.under)
  drawGrid(context, plot, times, values)
  const lines = linesOf(props)
  for (const { line, width } of lines) drawHalo(context, plot, line, { stroke: colours().halo, width })
  for (const { line, stroke, width, dash } of lines) drawStepped(context, plot, line, { stroke, width, dash })
  if (props.over !== undefined) isolated(context, plot, props.over)
  isolated(context, plot, drawFolds)
  context.restore()
  drawAxes(context, plot, { times, values, hasTimeAxis: props.hasTimeAxis === true })
}

function linesOf({ data: [times, ...columns] = [], lines = [], resolutionMs = 0 }: PaneProps) {
  return lines.flatMap(({ stroke, width = LINE_PX, dash = [] }, i) => {
    const values = columns[i]
    return times === undefined || values === undefined
      ? []
      : [{ line: { times, values, resolutionMs }, stroke, width, dash }]
  })
}

function isolated(context: CanvasRenderingContext2D, plot: Plot, each: Draw): void {
  context.save()
  each(context, plot)
  context.restore()
}

function marksOf(
  { zone, valueText, valueLeast, hasTimeAxis }: PaneProps,
  plot: Plot,
): { times: Mark[]; values: Mark[] } {
  const { low, high } = plot
  const stepMs = tickStepMs(lengthOf(plot), plot.width / plot.ratio, TIMES_APART_PX)
  const heightPx = plot.height / plot.ratio
  const isLow = heightPx < LOW_PX
  const step = valueStep(high - low, heightPx, VALUES_APART_PX, valueLeast)
  const all = isLow ? outerTicks(low, high, valueLeast) : valueTicks(low, high, step)
  return {
    times: ticksMs(plot, stepMs).map((ms) => ({ at: ms, text: hasTimeAxis ? tickText(ms, stepMs, zone) : '' })),
    values: all.map((value) => ({ at: value, text: valueText(value) })),
  }
}

type Overlay = { at: Crosshair | null; tags: readonly (Tag & { value: number })[] }

function drawOverlay(canvas: HTMLCanvasElement, props: PaneProps, widthPx: number, { at, tags }: Overlay): void {
  const context = cleared(canvas, widthPx, props.heightPx)
  if (at === null && tags.length === 0) return
  const plot = plotOf(props, widthPx, devicePixelRatio)
  const marks = marksOf(props, plot)
  drawValueTags(context, plot, tags, marks.values)
  if (at === null || at.ms < plot.fromMs || at.ms > plot.toMs) return
  const { crosshair, tag, strong } = colours()
  const [x, right, bottom] = [Math.round(xOf(plot, at.ms)) + 0.5, plot.left + plot.width, plot.top + plot.height]
  const value = at.pane === props.label ? at.value : null
  context.strokeStyle = crosshair
  context.lineWidth = 1
  context.setLineDash([3 * plot.ratio, 3 * plot.ratio])
  context.beginPath()
  context.moveTo(x, plot.top)
  context.lineTo(x, bottom)
  if (value !== null) {
    const y = Math.round(yOf(plot, value)) + 0.5
    context.moveTo(plot.left, y)
    context.lineTo(right, y)
  }
  context.stroke()
  context.setLineDash([])
  if (value !== null) {
    const text = props.valueText(nearest(value, props.valueLeast))
    if (text !== '') drawTag(context, plot, { value, text, fill: tag, ink: strong }, marks.values)
  }
  drawTimeTag(context, plot, props, at.ms)
}

function drawTimeTag(context: CanvasRenderingContext2D, plot: Plot, props: PaneProps, ms: number): void {
  if (!props.hasTimeAxis || ms < plot.fromMs || ms > plot.toMs) return
  const { tag, strong } = colours()
  const text = clockText(ms, props.zone, plot.toMs - plot.fromMs < 60_000 ? 1 : 1_000)
  drawTag(context, plot, { ms, text, fill: tag, ink: strong }, marksOf(props, plot).times)
}

function painted(props: PaneProps, widthPx: number, ratio: number, ms: number | null): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  draw(canvas, props, widthPx, ratio)
  const [context, plot] = [canvas.getContext('2d')!, plotOf(props, widthPx, ratio)]
  drawValueTags(context, plot, props.tags?.() ?? [], marksOf(props, plot).values)
  if (ms !== null) drawTimeTag(context, plot, props, ms)
  return canvas
}
