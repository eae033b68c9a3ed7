// Shows a market over time: its panes, a reading at the pointer, and a minimap of the whole day.

import type { ComponentChildren } from 'preact'
import { useEffect, useId, useMemo, useRef } from 'preact/hooks'
import { type Coverage, coverage, marketInfo } from '../data/answers.ts'
import { centDecimals, ticksOf } from '../data/ticks.ts'
import { isLive } from '../live/is-live.ts'
import { Failed, Loading } from '../panels/states.tsx'
import { useHeight } from '../panels/use-size.ts'
import { askAgain } from '../state/again.ts'
import { reshape } from '../state/back.ts'
import { shownDetail } from '../state/detail.ts'
import { clippedTo, type Horizon, hiddenFrom, horizonOf, passedDates } from '../state/horizon.ts'
import { screenHeight } from '../state/screen.ts'
import type { Span } from '../state/shown.ts'
import { foldsOf, foldText, partsOf } from '../state/time-axis.ts'
import type { BookId, Stretch } from '../state/view.ts'
import { AsTable } from './as-table.tsx'
import { hovered } from './base/hovered.ts'
import { msPerPixel } from './base/plot.ts'
import {
  breaksIn,
  type CoveredDate,
  eachUnknown,
  emptyIn,
  incidentsOf,
  inferredGaps,
  laterThan,
  momentsOf,
  type Named,
  namedPriceless,
  pricelessIn,
  unknownIn,
} from './base/stretches.ts'
import { useChartKeys } from './chart-keys.ts'
import { DataCursor } from './data-cursor.tsx'
import { attachChart } from './gestures/attach-chart.ts'
import { attachPriceDrag } from './gestures/price-drag.ts'
import { belowPx, MAIN, MarketPanes } from './market-panes.tsx'
import { type MarketWindows, useMarketWindows } from './market-windows.ts'
import { Minimap } from './minimap.tsx'
import { plotOf, plotWidth } from './pane/pane.tsx'
import { ReadOut, readAt, readingText } from './read-out.tsx'
import { scaleOf, useTable } from './size-scale.ts'
import { Toolbar } from './toolbar.tsx'
import { TradeTip } from './trade-tip.tsx'

/** Whether buttons are made for fingers (base.css). */
const isCoarse = matchMedia('(pointer: coarse)').matches
/** Height of everything above and below the panes, px. Excludes the chart's head. Assumes that the player's bar has one
 *  line. */
const OTHERS_PX = isCoarse ? 380 : 292
const [MAIN_LEAST_PX, MAIN_MOST_PX] = [240, 1_100]
/** On these screens the player's bar scrolls with the page (player.css), so the chart need not end above it. */
const scrolls = matchMedia('(max-width: 600px), (max-height: 640px)')
const SCROLLED_LEAST_PX = 300
/** In a frame, px: the height of everything around the panes, and the least height of the main pane. */
const [BARE_OTHERS_PX, BARE_LEAST_PX] = [102, 120]
/** Widths of the chart. Below each of them, the player's bar wraps to one more line. */
const PLAYER_BREAKS_PX = [1_058, 541, 441]
const PLAYER_LINE_PX = isCoarse ? 49 : 33
/** Half the width of a short stretch's mark. The pointer counts as on the stretch within this distance. */
const NEAR_PX = 3

/** Returns the height of the main pane. `headPx` is the height of the chart's head. */
function mainPx(widthPx: number, headPx: number, stretch: Stretch, isBare: boolean): number {
  const playerPx = PLAYER_LINE_PX * PLAYER_BREAKS_PX.filter((each) => widthPx < each).length
  const [leastPx, othersPx] = isBare
    ? [BARE_LEAST_PX, BARE_OTHERS_PX]
    : [scrolls.matches ? SCROLLED_LEAST_PX : MAIN_LEAST_PX, OTHERS_PX + headPx + playerPx]
  return Math.max(leastPx, Math.min(MAIN_MOST_PX, screenHeight.value - othersPx - belowPx(stretch)))
}

/** `isBare` omits everything around the panes, for a chart in a frame. The children are shown beside the toolbar. */
export type ChartProps = { book: BookId; stretch: Stretch; span: Span; widthPx: number } & {
  isBare?: boolean
  children?: ComponentChildren
}

export function DayChart({ book, stretch, span: { fromMs, toMs }, widthPx, isBare = false, children }: ChartProps) {
  const info = marketInfo(book)
  const { value: stored } = coverage(book)
  const horizon = horizonOf(stretch)
  const endMs = hiddenFrom(horizon)
  const dates = usePassedDates(stored, horizon)
  const folds = useMemo(() => foldsOf(dates), [dates])
  const span = { fromMs, toMs, folds }
  const isInfoThere = info.value !== null || info.failure !== null
  const ticks = useMemo(() => ticksOf(book, info.value), [info.value, book.asset])
  const head = useRef<HTMLDivElement>(null)
  const heightPx = mainPx(widthPx, useHeight(head), stretch, isBare)
  const hasLeftAxis = stretch.axes === 'both'
  const plotPx = Math.max(100, plotWidth(widthPx, hasLeftAxis))
  const requested = { book, stretch, span, widthPx: plotPx, heightPx }
  const windows = useMarketWindows(requested, isInfoThere ? ticks : null)
  const { resolutionMs, requestedMs, priceStep } = windows
  const scale = scaleOf(book, stretch, windows)
  const { faintest, highest } = scale
  useEffect(() => {
    shownDetail.value = { resolutionMs, bucketMs: requestedMs, priceStep, sizes: { faintest, highest } }
  }, [resolutionMs, requestedMs, priceStep, faintest, highest])
  const table = useTable(stretch, scale)
  const hasAnswer = stored !== null && windows.failure === null
  const stretches = useStretches(windows, span, endMs, hasAnswer ? dates : null)
  const shown = { stretch, span, prices: windows.prices }
  const plot = plotOf({ heightPx, hasLeftAxis, span, values: windows.prices }, widthPx, devicePixelRatio)
  useChartKeys(shown)
  const moments = useMemo(() => clippedTo(momentsOf(info.value), endMs), [info.value, endMs])
  const nearMs = NEAR_PX * msPerPixel({ ...span, width: plotPx })
  const later = laterThan(horizon, nearMs)
  const named = [
    ...later,
    ...moments,
    ...folds.map((fold) => ({ ...fold, text: foldText(fold), isLoss: false })),
    ...stretches.unknown,
    ...stretches.empty,
    ...stretches.lost,
  ]
  const read = { windows, ticks, stretch, named, nearMs }
  const tableId = useId()
  return (
    <section class="chart" aria-label="The market over time">
      {!isBare && (
        <div class="chart-head" ref={head}>
          {children}
          <Toolbar {...{ shown, scale, dates }} candleMs={windows.bucketMs} />
        </div>
      )}
      <DataCursor
        {...{ windows, span, atMs: stretch.atMs }}
        tableId={isBare ? undefined : tableId}
        describe={(ms, dollars) => readingText(readAt(read, ms, dollars))}
      >
        {windows.isLoading && <Loading />}
        {windows.failure !== null && (
          <div class="chart-failure">
            <Failed failure={windows.failure} retry={askAgain} />
          </div>
        )}
        <MarketPanes
          {...{ book, windows, ticks, stretch, span, heightPx, table }}
          {...{ ...stretches, moments, later, crosshair: hovered }}
          attach={attachChart(MAIN)}
          attachAxis={(surface, plot) => attachPriceDrag(surface, plot, (prices) => reshape({ prices }))}
        />
        <TradeTip {...{ book, stretch, windows, plot, decimals: centDecimals(windows.tick) }} />
      </DataCursor>
      <ReadOut {...read} />
      {!isBare && (
        <>
          <Minimap
            {...{ book, span, dates, horizon, zone: stretch.zone }}
            leftPx={plot.left / plot.ratio}
            widthPx={plotPx}
          />
          <AsTable {...{ id: tableId, windows, span, stretch }} />
        </>
      )}
    </section>
  )
}

const usePassedDates = (stored: Coverage | null, horizon: Horizon | null) =>
  useMemo(
    () => passedDates((stored?.dates ?? []) as readonly CoveredDate[], horizon),
    [stored, horizon?.ms, horizon?.record],
  )

/** Returns the stretches to mark. They come from the depth map if one is drawn, otherwise from the buckets, as far as
 *  buckets show them. */
function useStretches({ depth, best }: MarketWindows, span: Span, endMs: number, dates: readonly CoveredDate[] | null) {
  const shown = depth.map(({ window }) => window)
  const isDepth = shown.length > 0
  const live = isLive.value
  return useMemo(() => {
    const inferred = clippedTo(inferredGaps(dates ?? []), endMs)
    const lost = [...inferred, ...clippedTo(incidentsOf(dates ?? []), endMs)]
    if (isDepth) {
      const empty: Named[] = emptyIn(shown).map((each) => ({ ...each, text: 'empty book', isLoss: false }))
      return { unknown: eachUnknown(unknownIn(shown), dates, live), empty, inferred, lost }
    }
    const { times, resolutionMs, bid, ask } = best
    const priceless = pricelessIn(times, resolutionMs, [bid, ask]).map((each) => namedPriceless(each, dates))
    // The bucket that contains the horizon is hidden. This does not mean that its book is unknown.
    const lastMs = Math.min(span.toMs, Math.floor(endMs / resolutionMs) * resolutionMs)
    const breaks = partsOf({ ...span, toMs: lastMs }).flatMap((part) => breaksIn(times, resolutionMs, part))
    return {
      unknown: [...eachUnknown(breaks, dates, live), ...priceless.filter(({ isLoss }) => isLoss)],
      empty: priceless.filter(({ isLoss }) => !isLoss),
      inferred,
      lost,
    }
  }, [dates, live, ...(isDepth ? shown : [best, span.fromMs, span.toMs, span.folds]), endMs])
}
