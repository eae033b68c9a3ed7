// Charts two books on one time axis: the mid of each, their difference, and both depth maps.

import { useEffect, useMemo, useState } from 'preact/hooks'
import { colours } from '../charts/base/colours.ts'
import { hovered } from '../charts/base/hovered.ts'
import { type Prices, pricesAround } from '../charts/base/price-range.ts'
import { type CoveredDate, eachUnknown, laterThan, unknownIn } from '../charts/base/stretches.ts'
import { useChartKeys } from '../charts/chart-keys.ts'
import { Legend } from '../charts/display-menu.tsx'
import { drawBars } from '../charts/draw/bars.ts'
import { drawCursor } from '../charts/draw/cursor.ts'
import { drawStepped } from '../charts/draw/lines.ts'
import { drawTradeMarks } from '../charts/draw/trade-marks.ts'
import { drawNames } from '../charts/draw/unknown.ts'
import { attachChart } from '../charts/gestures/attach-chart.ts'
import { drawBelow, linesOf, tradeMarks } from '../charts/market-panes.tsx'
import { type MarketWindows, useMarketWindows } from '../charts/market-windows.ts'
import { Pane, type PaneProps, plotWidth } from '../charts/pane/pane.tsx'
import { type Scale, scaleOf, useTable } from '../charts/size-scale.ts'
import { coverage, marketInfo } from '../data/answers.ts'
import { joinedColumn } from '../data/best-prices.ts'
import { centDecimals, ticksOf } from '../data/ticks.ts'
import { isLive } from '../live/is-live.ts'
import { Failed, Loading } from '../panels/states.tsx'
import { askAgain } from '../state/again.ts'
import { comparedDetails, type Detail } from '../state/detail.ts'
import { horizonOf, passedDates } from '../state/horizon.ts'
import type { Span } from '../state/shown.ts'
import { shownPrice } from '../state/units.ts'
import type { BookId, Stretch } from '../state/view.ts'
import { CompareReadOut } from './compare-read-out.tsx'
import { type Column, differenceOf, hasValueIn, rangeOf } from './difference.ts'

/** Dash of the second line, so that it differs in more than its colour. */
const DASH = [6, 3]
const [MIDS_PX, DIFFERENCE_PX] = [160, 84]
/** Height of everything above and below the two depth maps. */
const OTHERS_PX = 560
const [MAP_LEAST_PX, MAP_MOST_PX] = [150, 420]
/** Top of the stretches' names: below the pane's name. */
const NAMES_TOP_PX = 22
const mapPx = () => Math.max(MAP_LEAST_PX, Math.min(MAP_MOST_PX, Math.round((innerHeight - OTHERS_PX) / 2)))

type ChartProps = { books: readonly [BookId, BookId]; names: readonly [string, string] } & {
  stretch: Stretch
  span: Span
  widthPx: number
}

export function CompareChart({ books, names, stretch: chosen, span, widthPx }: ChartProps) {
  const { stretch, first, second, scale, table } = useBoth(books, chosen, span, Math.max(100, plotWidth(widthPx)))
  const difference = useMemo(() => differenceOf(first.mid, second.mid), [first.mid, second.mid])
  const sides = [first, second] as const
  const details = sides.map(({ windows: { resolutionMs, bucketMs, priceStep } }) => [resolutionMs, bucketMs, priceStep])
  useEffect(() => {
    comparedDetails.value = [detailOf(first.windows), detailOf(second.windows)]
  }, details.flat())
  useChartKeys({ stretch, span, prices: { low: 0, high: 1 } }, { hasPrices: false })
  const ink = colours()
  const resolutionMs = first.windows.bucketMs
  const decimals = Math.max(...sides.map(({ windows }) => centDecimals(windows.tick)))
  const cents = (dollars: number) => shownPrice(dollars, decimals)
  const shared = { span, zone: stretch.zone, crosshair: hovered, attach: attachChart() }
  const failure = first.windows.failure ?? second.windows.failure
  const isLoading = sides.some(({ windows }) => windows.isLoading)
  const isApart = !isLoading && failure === null && !hasValueIn(difference, span)
  const zero = rangeOf([difference], span, { around: 0, least: 0.002 })
  return (
    <section class="chart compare-chart" aria-label="Two books over time">
      <Legend {...{ stretch, scale }} />
      <div class="chart-panes" aria-busy={isLoading}>
        {isLoading && <Loading />}
        {failure !== null && <Failed failure={failure} retry={askAgain} />}
        <Pane
          {...shared}
          label="Middle of both books"
          name="Mid"
          heightPx={MIDS_PX}
          values={rangeOf([first.mid, second.mid], span, { around: null, least: 0.002 })}
          valueText={cents}
          valueLeast={0.001}
          over={(context, plot) => {
            drawStepped(context, plot, { ...second.mid, resolutionMs }, { stroke: ink.warning, dash: DASH, width: 1.5 })
            drawStepped(context, plot, { ...first.mid, resolutionMs }, { stroke: ink.up, width: 1.5 })
            drawCursor(context, plot, stretch.atMs)
          }}
        />
        <Pane
          {...shared}
          label="First less second"
          name={isApart ? 'First − second: no instant in common' : 'First − second'}
          heightPx={DIFFERENCE_PX}
          values={zero}
          valueText={(dollars) => (isApart ? '' : cents(dollars))}
          valueLeast={0.001}
          over={(context, plot) => {
            drawBars(context, plot, { ...difference, resolutionMs }, ink.bar)
            drawCursor(context, plot, stretch.atMs)
          }}
        />
        {sides.map((side, i) => (
          <DepthPane
            key={i}
            {...{ side, shared, table }}
            stretch={stretch}
            label={`Depth of the ${i === 0 ? 'first' : 'second'} book`}
            name={names[i]!}
            isLast={i === 1}
          />
        ))}
      </div>
      <CompareReadOut {...{ sides, difference, resolutionMs, atMs: stretch.atMs, zone: stretch.zone, cents }} />
    </section>
  )
}

/** Returns the data of both books, drawn with the same price range and the same scale of sizes. */
function useBoth(books: readonly [BookId, BookId], chosen: Stretch, span: Span, widthPx: number) {
  const [prices, setPrices] = useState<Prices | null>(null)
  const stretch: Stretch = { ...chosen, chart: 'depth', prices }
  const requested = { stretch, span, widthPx }
  const [first, second] = [useSide(books[0], requested), useSide(books[1], requested)]
  const [quotes, others] = [first.windows.quotes, second.windows.quotes]
  const { low, high } = pricesAround([...quotes, ...others], span)
  const areThere = quotes.length > 0 && others.length > 0
  useEffect(() => {
    if (areThere) setPrices({ low, high })
  }, [areThere, low, high])
  const scale = {
    faintest: Math.min(first.scale.faintest, second.scale.faintest),
    highest: Math.max(first.scale.highest, second.scale.highest),
  }
  return { stretch, first, second, scale, table: useTable(stretch, scale) }
}

export type Side = {
  windows: MarketWindows
  scale: Scale
  ticks: ReturnType<typeof ticksOf>
  /** The stored dates; null until the server has answered. */
  dates: readonly CoveredDate[] | null
  mid: Column
}

function useSide(book: BookId, requested: { stretch: Stretch; span: Span; widthPx: number }): Side {
  const info = marketInfo(book)
  const ticks = useMemo(() => ticksOf(book, info.value), [info.value, book.asset])
  const isInfoThere = info.value !== null || info.failure !== null
  const windows = useMarketWindows({ ...requested, book, heightPx: mapPx() }, isInfoThere ? ticks : null)
  const { quotes } = windows
  const mid = useMemo(
    () => ({ times: joinedColumn(quotes, 'timestamp'), values: joinedColumn(quotes, 'mid_price_close') }),
    [...quotes],
  )
  const stored = windows.failure === null ? coverage(book).value : null
  const horizon = horizonOf(requested.stretch)
  const dates = useMemo(
    () => stored && passedDates(stored.dates as readonly CoveredDate[], horizon),
    [stored, horizon?.ms],
  )
  return { windows, scale: scaleOf(book, requested.stretch, windows), ticks, mid, dates }
}

const detailOf = ({ resolutionMs, requestedMs, priceStep }: MarketWindows): Detail => ({
  resolutionMs,
  bucketMs: requestedMs,
  priceStep,
})

type DepthProps = {
  side: Side
  table: Uint32Array
  shared: Pick<PaneProps, 'span' | 'zone' | 'crosshair' | 'attach'>
  label: string
  name: string
  stretch: Stretch
  isLast: boolean
}

function DepthPane({ side, table, shared, label, name, stretch, isLast }: DepthProps) {
  const { windows, ticks, dates } = side
  const shown = windows.depth.map(({ window }) => window)
  const live = isLive.value
  const unknown = useMemo(() => eachUnknown(unknownIn(shown), dates, live), [dates, live, ...shown])
  return (
    <Pane
      {...shared}
      {...{ label, name }}
      heightPx={mapPx() + (isLast ? 20 : 0)}
      values={windows.prices}
      valueText={(dollars) => shownPrice(dollars, centDecimals(windows.tick))}
      valueLeast={windows.tick ?? 0.001}
      {...linesOf(windows, stretch)}
      hasTimeAxis={isLast}
      under={(context, plot) => drawBelow(context, plot, { windows, ticks, table, stretch, unknown })}
      over={(context, plot) => {
        drawTradeMarks(context, tradeMarks(plot, windows))
        drawNames(context, plot, [...unknown, ...laterThan(horizonOf(stretch), 0)], NAMES_TOP_PX)
        drawCursor(context, plot, stretch.atMs)
      }}
    />
  )
}
