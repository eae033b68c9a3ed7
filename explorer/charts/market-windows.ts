// Requests the data of a market's chart: chooses the windows, collects those that have arrived, uses cached data in
// place of missing windows, and prefetches neighbours.

import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Entry } from '../data/answer-cache.ts'
import { coverage } from '../data/answers.ts'
import type { Failure } from '../data/ask.ts'
import { type BestPrices, bestOfDepth, bestOfQuotes } from '../data/best-prices.ts'
import type { EachTrade, QuoteWindow, TimeWindow, TradeCandles, TradeWindow } from '../data/buckets/bucket-window.ts'
import { foldedQuotes, foldedTrades } from '../data/buckets/folded.ts'
import type { DepthWindow } from '../data/depth-window.ts'
import { type DepthWanted, depthStandIn, depthWindow, wantDepth } from '../data/depth-windows.ts'
import { eachTrade, TRADES_MAX } from '../data/each-trade.ts'
import {
  BUCKET_MAX_MS,
  candleFor,
  neighboursOf,
  priceStepFor,
  resolutionFor,
  windowsOf,
} from '../data/level-of-detail.ts'
import { quoteStandIn, quoteWindow, wantQuotes } from '../data/quote-windows.ts'
import { dayTrades } from '../data/replay/day-trades.ts'
import { type LargeTrades, largeTrades } from '../data/replay/large-trades.ts'
import { type PriceRange, smallestTick } from '../data/ticks.ts'
import { tradeWindow, wantTrades } from '../data/trade-windows.ts'
import { type HeldPrices, joinedExact } from '../replay/best-after-each.ts'
import { EXACT_MS, exactPrices } from '../replay/exact-prices.ts'
import { passedDepth, passedEach, passedOfDay, passedQuotes, passedTrades } from '../replay/passed.ts'
import { hiddenFrom, horizonOf, passedDates } from '../state/horizon.ts'
import { DAY_MS, type Span } from '../state/shown.ts'
import { lengthOf, unfolded } from '../state/time-axis.ts'
import type { BookId, Stretch } from '../state/view.ts'
import { type Candles, candlesOf, type PriceLine, priceLine } from './base/price-columns.ts'
import { type Prices, pricesAround } from './base/price-range.ts'
import { commonStep } from './base/row-heights.ts'

/** A depth window that is drawn only between two instants, because a window with another level of detail may be drawn
 *  next to it. */
export type DepthLayer = { window: DepthWindow; fromMs: number; toMs: number }

export type MarketWindows = {
  resolutionMs: number
  /** Resolution of quotes, trades and candles; at least one second. */
  bucketMs: number
  /** Resolution of the requested buckets, which are folded to `bucketMs`. */
  requestedMs: number
  best: BestPrices
  quotes: readonly QuoteWindow[]
  trades: readonly TradeCandles[]
  /** The candles to draw; null unless the chart shows candles. */
  candles: Candles | null
  /** The price line to draw; null unless the chart shows a line. */
  line: PriceLine | null
  /** The buckets from which marks of several trades are made. */
  marked: readonly TradeWindow[]
  /** The windows of the requested buckets. */
  buckets: readonly TimeWindow[]
  /** All trades in view, for the studies that need them; null if no chosen study needs them. */
  profiled: EachTrade | null
  /** The trades to draw one by one; null if there are too many. */
  each: readonly EachTrade[] | null
  depth: readonly DepthLayer[]
  prices: Prices
  priceStep: number
  tick: number | null
  isLoading: boolean
  failure: Failure | null
}

const BUCKET_MIN_MS = 1_000
/** If columns are at least this wide, best prices are read after each record: a column would hide changes within it. */
const EXACT_FROM_PX = 4
const EACH_MAX = 250
/** Finding large trades needs all trades of each day, so only the last days in view are requested, at most this
 *  many. */
const LARGE_DAYS = 32
/** Each day of sizes costs the server a replay, so over a longer span only the best prices are shown. */
const DEPTH_MAX_MS = 32 * DAY_MS
const PREFETCH_MS = 120

type Requested = { book: BookId; stretch: Stretch; span: Span; widthPx: number; heightPx: number }

/** Returns the data to draw. `ticks` is null until the ticks are known. */
export function useMarketWindows(requested: Requested, ticks: readonly PriceRange[] | null): MarketWindows {
  const { book, stretch, span, widthPx, heightPx } = requested
  const horizon = horizonOf(stretch)
  const spanMs = lengthOf(span)
  const isDepth = stretch.chart === 'depth'
  const isCandles = stretch.chart === 'candles'
  const resolutionMs = isCandles ? (stretch.candleMs ?? candleFor(spanMs, widthPx)) : resolutionFor(spanMs, widthPx)
  const bucketMs = Math.max(BUCKET_MIN_MS, resolutionMs)
  const requestedMs = Math.min(BUCKET_MAX_MS, bucketMs)
  // A depth window is at most a day long, because each day costs the server a replay.
  const windows = unfolded(windowsOf(span.fromMs, span.toMs, resolutionMs, DAY_MS), span)
  const buckets = unfolded(windowsOf(span.fromMs, span.toMs, requestedMs), span)
  const state: { isLoading: boolean; failure: Failure | null } = { isLoading: false, failure: null }
  const taken = <T>({ value, failure }: Entry<T>): T | null => {
    if (failure !== null) state.failure ??= failure
    else if (value === null) state.isLoading = true
    return value
  }

  const quotes = buckets
    .flatMap((each) => taken(quoteWindow(book, each)) ?? quoteStandIn(book, each) ?? [])
    .map((each) => passedQuotes(foldedQuotes(each, bucketMs), horizon))
  const traded = buckets.map((each) => taken(tradeWindow(book, each)))
  const trades = traded
    .filter((each) => each !== null)
    .map((each) => passedTrades(foldedTrades(each, bucketMs), horizon))
  const areQuotesThere = quotes.length > 0 || !state.isLoading
  const last = useRef<Prices | null>(null)
  const drawn = isDepth || (isCandles && stretch.candlesOf === 'mid') ? [] : trades
  const around = () => (areQuotesThere ? pricesAround(quotes, span, drawn) : (last.current ?? { low: 0, high: 1 }))
  const prices = stretch.prices ?? around()
  if (areQuotesThere) last.current = prices
  const tick = smallestTick(ticks ?? [], prices)
  const priceStep = priceStepFor(prices.high - prices.low, heightPx, tick)
  // Wait for the best prices: they decide the price range and so the price step. A depth map requested earlier would be
  // thrown away.
  const canAsk = isDepth && spanMs <= DEPTH_MAX_MS && ticks !== null && (areQuotesThere || stretch.prices !== null)
  if (isDepth && spanMs <= DEPTH_MAX_MS && !canAsk) state.isLoading = true
  const wanted: DepthWanted[] = !canAsk
    ? []
    : windows.map((window) => ({ window, priceStep, aggregate: stretch.aggregate }))
  const depth = wanted.flatMap((each) => layersOf(requested, each, taken(depthWindow(book, each))))

  const exact = isDepth && (resolutionMs / spanMs) * widthPx >= EXACT_FROM_PX ? bestPricesPerRecord(book, span) : null
  const isFine = isDepth && resolutionMs < BUCKET_MIN_MS && ticks !== null && exact === null
  const ends: DepthWanted[] = !isFine
    ? []
    : windows.map((window) => ({ window, priceStep: priceStepFor(0, 1, tick), aggregate: 'last' }))
  const atEnds = ends.map((each) => taken(depthWindow(book, each)))
  const fine =
    isFine && atEnds.every((each) => each !== null) ? atEnds.flatMap((each) => passedDepth(each, horizon) ?? []) : null
  const exactEndMs = exact === null ? 0 : Math.min(lastMsOf(book) + 1, hiddenFrom(horizon))
  const best = useMemo(() => {
    if (exact !== null) return joinedExact(exact, exactEndMs)
    if (fine !== null) return bestOfDepth(fine, resolutionMs)
    return bestOfQuotes(quotes, quotes[0]?.resolutionMs ?? bucketMs)
  }, [exactEndMs, ...(exact ?? fine ?? quotes)])

  const marks = isDepth ? marksOf(requested, { buckets, trades, taken }) : { each: null, marked: trades }

  useWanted(requested, { windows, buckets, depth: [...wanted, ...ends], isLoading: state.isLoading, priceStep, canAsk })
  const profiled = stretch.studies.includes('profile') ? largeOf(requested, 0, taken).each : null
  return {
    ...{ resolutionMs, bucketMs, requestedMs, buckets, best, quotes, trades, profiled },
    ...{ depth, prices, priceStep, tick: tick ?? tickSeen(depth) },
    ...useColumns(stretch, quotes, trades),
    ...marks,
    ...state,
  }
}

/** Returns the data of a chart without sizes. */
function useColumns(
  { chart, candlesOf: which }: Stretch,
  quotes: readonly QuoteWindow[],
  trades: readonly TradeCandles[],
) {
  return useMemo(
    () => ({
      candles: chart === 'candles' ? candlesOf(which, quotes, trades) : null,
      line: chart === 'line' ? priceLine(quotes, trades) : null,
    }),
    [chart, which, ...quotes, null, ...trades],
  )
}

type Taken = <T>(entry: Entry<T>) => T | null
type Traded = { buckets: readonly TimeWindow[]; trades: readonly TradeWindow[]; taken: Taken }

/** Returns the data of the trade marks. */
function marksOf(requested: Requested, { buckets, trades, taken }: Traded) {
  const { book, stretch, span } = requested
  if (stretch.leastTrade !== null) {
    const { each, buckets: marked } = largeOf(requested, stretch.leastTrade, taken)
    return { each: each.rows <= EACH_MAX ? [each] : null, marked: [marked] }
  }
  const shown = trades.reduce((sum, window) => sum + countIn(window, span), 0)
  const areAllThere = trades.length === buckets.length
  const areFew = areAllThere && shown <= EACH_MAX && trades.every(({ count }) => sumOf(count) <= TRADES_MAX)
  const few = areFew ? buckets.map((each) => taken(eachTrade(book, each))) : []
  const there = few.filter((window) => window !== null).map((window) => passedEach(window, horizonOf(stretch)))
  return { each: areFew && there.length === few.length ? there : null, marked: trades }
}

/** Returns the large trades of the stored dates in view. Omits days that have not arrived. */
function largeOf({ book, stretch, span }: Requested, least: number, taken: Taken): LargeTrades {
  const horizon = horizonOf(stretch)
  const stored = passedDates(coverage(book).value?.dates ?? [], horizon)
  const shown = stored.filter(({ date }) => Date.parse(date) < span.toMs && Date.parse(date) + DAY_MS > span.fromMs)
  const days = shown.slice(-LARGE_DAYS).flatMap(({ date }) => {
    const trades = taken(dayTrades(book, date))
    return trades === null ? [] : [passedOfDay(trades, date, horizon)]
  })
  return largeTrades(days, least, span)
}

/** Returns the best prices after each record; null until all windows have arrived. */
function bestPricesPerRecord(book: BookId, span: Span): HeldPrices[] | null {
  const all = unfolded(windowsOf(span.fromMs, span.toMs, EXACT_MS), span)
  const windows = all.map((window) => exactPrices(book, window).value)
  return windows.every((each) => each !== null) ? windows : null
}

const lastMsOf = (book: BookId): number => coverage(book).value?.dates.at(-1)?.last_timestamp ?? Infinity

/** Returns the tick if no metadata gives it: the largest step that divides all prices of a window. */
function tickSeen([first]: readonly DepthLayer[]): number | null {
  if (first === undefined || first.window.prices.length === 0) return null
  const { prices, priceStep } = first.window
  return Number((commonStep(prices, priceStep) * priceStep).toFixed(6))
}

/** Returns the requested window, or else a cached one that overlaps it. */
function layersOf({ book, stretch }: Requested, wanted: DepthWanted, value: DepthWindow | null): DepthLayer[] {
  const { startMs: fromMs, endMs: toMs } = wanted.window
  const there = value ?? depthStandIn(book, wanted)
  const passed = there === undefined ? null : passedDepth(there, horizonOf(stretch))
  return passed === null ? [] : [{ window: passed, fromMs, toMs }]
}

type Shown = {
  windows: readonly TimeWindow[]
  buckets: readonly TimeWindow[]
  depth: readonly DepthWanted[]
  isLoading: boolean
  priceStep: number
  canAsk: boolean
}

/** Cancels requests for what is no longer shown. Once everything shown has arrived, requests the neighbours. */
function useWanted({ book, stretch, span }: Requested, shown: Shown): void {
  const owner = useRef({})
  const middleMs = (span.fromMs + span.toMs) / 2
  const before = useRef(middleMs)
  const direction = useRef<-1 | 0 | 1>(0)
  if (middleMs !== before.current) direction.current = middleMs > before.current ? 1 : -1
  before.current = middleMs
  const { isLoading, canAsk, priceStep } = shown
  const want = (buckets: readonly TimeWindow[], depth: readonly DepthWanted[]) => {
    wantQuotes(owner.current, book, buckets)
    wantTrades(owner.current, book, buckets)
    wantDepth(owner.current, book, depth)
  }
  useEffect(() => {
    const buckets = [...shown.buckets]
    const depth = [...shown.depth]
    // Do not prefetch whole days: they are expensive and may never be viewed.
    const isShort = shown.buckets.every(({ startMs, endMs }) => endMs - startMs < DAY_MS)
    if (!isLoading && isShort && direction.current !== 0) {
      buckets.push(...neighboursOf(shown.buckets, direction.current))
      if (canAsk) {
        const beside = neighboursOf(shown.windows, direction.current)
        depth.push(...beside.map((window) => ({ window, priceStep, aggregate: stretch.aggregate })))
      }
    }
    want(buckets, depth)
    if (isLoading || !isShort) return
    const timer = setTimeout(() => {
      for (const each of buckets) {
        quoteWindow(book, each)
        tradeWindow(book, each)
      }
      for (const each of depth) depthWindow(book, each)
      want(buckets, depth)
    }, PREFETCH_MS)
    return () => clearTimeout(timer)
  })
  useEffect(() => () => want([], []), [book.market, book.asset])
}

const sums = new WeakMap<Float64Array, number>()

function sumOf(values: Float64Array): number {
  const known = sums.get(values) ?? values.reduce((sum, value) => sum + value, 0)
  sums.set(values, known)
  return known
}

function countIn({ timestamp, count, rows }: TradeWindow, { fromMs, toMs }: Span): number {
  let sum = 0
  for (let row = 0; row < rows; row++) if (timestamp[row]! >= fromMs && timestamp[row]! <= toMs) sum += count[row]!
  return sum
}
