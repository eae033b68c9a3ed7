// The panes of a market over time: the depth map, candles or line, with best prices and trades, and below it spread,
// quotes and volume.

import type { Signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { centDecimals, type PriceRange, tickAt } from '../data/ticks.ts'
import { lazy } from '../panels/lazy.tsx'
import { cursorBest } from '../replay/cursor-best.ts'
import { percentText, shortText } from '../state/number-text.ts'
import type { Span } from '../state/shown.ts'
import { shownPrice } from '../state/units.ts'
import type { BookId, Stretch as Chosen } from '../state/view.ts'
import { colours } from './base/colours.ts'
import type { Crosshair } from './base/hovered.ts'
import type { Plot } from './base/plot.ts'
import type { Named } from './base/stretches.ts'
import { type BucketColumns, bucketColumns, largestShown } from './bucket-columns.ts'
import { drawBars } from './draw/bars.ts'
import { drawCandles } from './draw/candles.ts'
import { drawCursor } from './draw/cursor.ts'
import { drawHalo, drawStepped } from './draw/lines.ts'
import { drawMoments } from './draw/moments.ts'
import { drawRanges } from './draw/ranges.ts'
import { drawTradeMarks, marksOfBuckets, marksOfEach, type TradeMark } from './draw/trade-marks.ts'
import { drawNames, drawSpans, drawUnknown } from './draw/unknown.ts'
import { drawHeatMap } from './heat-map.ts'
import type { MarketWindows } from './market-windows.ts'
import { type Attach, type Draw, Pane, type PaneProps } from './pane/pane.tsx'
import { paneHeight } from './pane/pane-heights.ts'
import { SizedPane } from './pane/sized-pane.tsx'
import { drawProfile } from './studies/draw-profile.ts'
import { type Running, runningOf, volumeAtPrice } from './studies/study-columns.ts'

export const MAIN = 'Prices'
/** Names of the main pane's data. A depth map needs none. */
const NAMES = { mid: 'Candles of the mid price', trades: 'Candles of trades', line: 'Price in %' }

const StudyPanes = lazy(async () => (await import('./studies/study-panes.tsx')).StudyPanes)

export type PanesProps = {
  book: BookId
  windows: MarketWindows
  ticks: readonly PriceRange[]
  stretch: Chosen
  span: Span
  heightPx: number
  table: Uint32Array
  unknown: readonly Named[]
  /** Stretches in which the book is known and has no levels. */
  empty: readonly Named[]
  /** Stretches in which data was lost, though no record says so. */
  inferred: readonly Named[]
  /** The stretches of `inferred`, and days with a known fault. */
  lost: readonly Named[]
  /** Events of the market, each at an instant. */
  moments: readonly Named[]
  /** The time after the cursor, if it is hidden. */
  later: readonly Named[]
  crosshair: Signal<Crosshair | null>
  attach: Attach
  attachAxis: Attach
}

const SMALL_PX = 44
const LAST_PX = 80
/** Height of the pane with only the time axis, shown in place of volume. */
const AXIS_PX = 31

/** Returns the total height of the panes below the prices, without the studies. */
export const belowPx = ({ hidden }: Chosen): number =>
  (hidden.includes('spread') ? 0 : paneHeight('Spread', SMALL_PX)) +
  (hidden.includes('quotes') ? 0 : paneHeight('Quotes', SMALL_PX)) +
  (hidden.includes('volume') ? AXIS_PX : paneHeight('Volume', LAST_PX))
const STUDY_PX = 72
/** Quantile that scales the spread pane: a moment without one side would otherwise flatten all other spreads. */
const SPREAD_SHARE = 0.98

export function MarketPanes(props: PanesProps) {
  const { windows, stretch, span, crosshair } = props
  const { quotes, trades, prices, tick } = windows
  const { hidden, zone, axes } = stretch
  const ink = colours()
  const buckets = useMemo(() => bucketColumns(quotes, trades), [...quotes, null, ...trades])
  const running = useMemo(() => runningOf(trades, span), [...trades, null, span.fromMs, span.toMs])
  const cents = (dollars: number) => shownPrice(dollars, centDecimals(tick))
  const price = windows.line === null ? cents : percentText
  const least = tick ?? 0.001
  const spread = Math.max(2 * least, largestShown(buckets.spread, span, SPREAD_SHARE) * 1.25)
  const quoteCount = Math.max(4, largestShown(buckets.quotes, span))
  const shared = { span, zone, crosshair, hasLeftAxis: axes === 'both', attach: props.attach }
  const under: Draw = (context, plot) => drawUnknown(context, plot, props.unknown)
  const small = { ...shared, under, heightPx: SMALL_PX }
  return (
    <>
      <Pane
        {...shared}
        label={MAIN}
        heightPx={props.heightPx}
        values={prices}
        valueText={price}
        valueLeast={least}
        {...linesOf(windows, stretch)}
        tags={() => [...tagsOf(price), ...vwapTag(stretch, running, price)]}
        under={(context, plot) => drawBelow(context, plot, props)}
        over={(context, plot) => drawAbove(context, plot, props, running)}
        attachAxis={props.attachAxis}
      />
      {!hidden.includes('spread') && (
        <SizedPane
          {...small}
          label="Spread"
          values={{ low: 0, high: spread }}
          valueText={cents}
          valueLeast={least}
          over={(context, plot) => drawBars(context, plot, buckets.spread, ink.bar)}
        />
      )}
      {!hidden.includes('quotes') && (
        <SizedPane
          {...small}
          label="Quotes"
          values={{ low: 0, high: quoteCount * 1.1 }}
          valueText={shortText}
          valueLeast={1}
          over={(context, plot) => drawBars(context, plot, buckets.quotes, ink.bar)}
        />
      )}
      {stretch.studies.length > 0 && (
        <StudyPanes
          {...{ stretch, running, book: props.book, buckets: windows.buckets }}
          small={{ ...small, heightPx: STUDY_PX }}
        />
      )}
      {hidden.includes('volume') ? (
        <Pane
          {...small}
          label="Time"
          heightPx={AXIS_PX}
          hasTimeAxis
          values={{ low: 0, high: 1 }}
          valueText={() => ''}
        />
      ) : (
        <Volume {...{ buckets, small, span }} />
      )}
    </>
  )
}

type VolumeProps = { span: Span; buckets: BucketColumns; small: Omit<PaneProps, 'label' | 'values' | 'valueText'> }

function Volume({ buckets, small, span }: VolumeProps) {
  const traded = Math.max(largestShown(buckets.notSold, span), largestShown(buckets.sold, span))
  const volume = traded === 0 ? 1 : traded
  const ink = colours()
  return (
    <SizedPane
      {...small}
      label="Volume"
      heightPx={LAST_PX}
      hasTimeAxis
      values={{ low: -volume * 1.1, high: volume * 1.1 }}
      valueText={(contracts) => (traded === 0 && contracts !== 0 ? '' : shortText(Math.abs(contracts)))}
      over={(context, plot) => {
        drawBars(context, plot, buckets.notSold, ink.noSide)
        drawBars(context, plot, buckets.bought, ink.up)
        drawBars(context, plot, buckets.sold, ink.down)
      }}
    />
  )
}

/** Returns the main pane's lines and name. The lines are the best prices over a depth map, or the price line. Candles
 *  have none. */
export function linesOf({ best, line }: MarketWindows, { chart, candlesOf }: Chosen) {
  const ink = colours()
  if (chart === 'candles') return { name: NAMES[candlesOf], data: [], lines: [] }
  if (line !== null) {
    const lines = [{ stroke: ink.strong, width: 2 }]
    return { name: NAMES.line, data: [line.times, line.values], lines, resolutionMs: line.resolutionMs }
  }
  const lines = [
    { stroke: ink.bid, width: 1.5 },
    { stroke: ink.ask, width: 1.5 },
  ]
  return { data: [best.times, best.bid, best.ask], lines, resolutionMs: best.resolutionMs }
}

/** Returns a tag for the last VWAP in view. */
function vwapTag({ studies }: Chosen, { vwap }: Running, price: (dollars: number) => string) {
  const [last, ink] = [vwap.at(-1), colours()]
  if (last === undefined || !studies.includes('vwap')) return []
  return [{ value: last, text: `vwap ${price(Number(last.toFixed(3)))}`, fill: ink.mid, ink: ink.ground }]
}

function drawVwap(context: CanvasRenderingContext2D, plot: Plot, { times, vwap }: Running): void {
  const [line, ink] = [{ times, values: vwap, resolutionMs: 0 }, colours()]
  drawHalo(context, plot, line, { stroke: ink.halo, width: 2 })
  drawStepped(context, plot, line, { stroke: ink.mid, width: 2, dash: [6, 3] })
}

/** Returns tags for the best prices and the last trade, as the ladder shows them. */
function tagsOf(price: (dollars: number) => string) {
  const [best, ink] = [cursorBest.value, colours()]
  if (best === null) return []
  const { bid, ask, last } = best
  const lastFill = last === null || last.side === null ? ink.noSide : last.side === 'buy' ? ink.up : ink.down
  const tags = [
    { name: 'bid', value: bid, fill: ink.bid },
    { name: 'ask', value: ask, fill: ink.ask },
    { name: 'last', value: last?.price ?? Number.NaN, fill: lastFill },
  ]
  return tags
    .filter(({ value }) => !Number.isNaN(value))
    .map(({ name, value, fill }) => ({ value, fill, text: `${name} ${price(value)}`, ink: ink.ground }))
}

/** Returns one mark per trade if there are few, otherwise marks per bucket. */
export const tradeMarks = (plot: Plot, { each, marked }: MarketWindows): TradeMark[] =>
  each === null ? marksOfBuckets(plot, marked) : marksOfEach(plot, each)

type Below = Pick<PanesProps, 'windows' | 'ticks' | 'table' | 'stretch' | 'unknown'>

/** Draws what is beneath the grid: unknown stretches, the depth map, and the ranges of the best prices. */
export function drawBelow(context: CanvasRenderingContext2D, plot: Plot, below: Below): void {
  const { windows, ticks, table, stretch, unknown } = below
  drawUnknown(context, plot, unknown)
  const known = (dollars: number) => tickAt(ticks, dollars)
  for (const layer of windows.depth) drawHeatMap(context, plot, { ...layer, table, tickAt: known, tick: windows.tick })
  const { ranges, times, resolutionMs } = windows.best
  if (ranges === undefined || stretch.chart !== 'depth') return
  const ink = colours()
  drawRanges(context, plot, { ...ranges.bid, times, resolutionMs }, ink.bid)
  drawRanges(context, plot, { ...ranges.ask, times, resolutionMs }, ink.ask)
}

function drawAbove(context: CanvasRenderingContext2D, plot: Plot, props: PanesProps, running: Running): void {
  const { windows, stretch } = props
  const ink = colours()
  drawUnknown(context, plot, props.inferred)
  if (windows.candles !== null) drawCandles(context, plot, windows.candles)
  if (stretch.chart === 'depth') drawTradeMarks(context, tradeMarks(plot, windows))
  if (windows.profiled !== null)
    drawProfile(context, plot, volumeAtPrice(windows.profiled, windows.priceStep), windows.priceStep)
  if (stretch.studies.includes('vwap')) drawVwap(context, plot, running)
  drawSpans(context, plot, props.empty, { stroke: ink.text, isAtTop: false })
  drawSpans(context, plot, props.lost, { stroke: ink.warning, isAtTop: true })
  drawNames(context, plot, [...props.unknown, ...props.later])
  drawMoments(context, plot, props.moments)
  drawCursor(context, plot, stretch.atMs)
}
