// Windows of the depth map, asked for once and kept.

import type { BookId, Stretch } from '../state/view.ts'
import { marketInfo } from './answers.ts'
import { bookText } from './book-query.ts'
import { askWindow, keptWindows, windowName } from './book-windows.ts'
import type { TimeWindow } from './buckets/bucket-window.ts'
import { type DepthWindow, depthWindowOf } from './depth-window.ts'
import type { Entry } from './kept.ts'
import { ofSide } from './no-side/of-side.ts'
import { smallestTick, tickAt, yesTicksOf } from './ticks.ts'

type Aggregate = Stretch['aggregate']

const BYTES_MAX = 64 * 1024 * 1024
/** A size of 4, its code of 2, and the pixel that is drawn of it of 4: all are there as long as the window. */
const CELL_BYTES = 10
const kept = keptWindows<DepthWindow>(BYTES_MAX, ({ sizes }) => sizes.length * CELL_BYTES)

const nameOf = (book: BookId, window: TimeWindow, priceStep: number, aggregate: Aggregate) =>
  [windowName(book, window), priceStep, aggregate].join(' ')

export function depthWindow(
  book: BookId,
  window: TimeWindow,
  priceStep: number,
  aggregate: Aggregate,
): Entry<DepthWindow> {
  return kept.take(nameOf(book, window, priceStep, aggregate), (signal) =>
    load(book, window, priceStep, aggregate, signal),
  )
}

/** What of other levels of detail is there of a window's time, the coarsest first: to draw until it is there itself. */
export function depthStandIns(book: BookId, { startMs, endMs }: TimeWindow, aggregate: Aggregate): DepthWindow[] {
  const found: DepthWindow[] = []
  for (const [name, each] of kept.startingWith(`${bookText(book)} `)) {
    if (name.endsWith(` ${aggregate}`) && each.startMs < endMs && each.endMs > startMs) found.push(each)
  }
  return found.sort((a, b) => b.resolutionMs - a.resolutionMs || b.priceStep - a.priceStep)
}

export type DepthWanted = { window: TimeWindow; priceStep: number; aggregate: Aggregate }

/** Says which windows `owner` wants from now on: what it wanted before is asked for no longer. */
export function wantDepth(owner: object, book: BookId, wanted: readonly DepthWanted[]): void {
  kept.want(owner, new Set(wanted.map((each) => nameOf(book, each.window, each.priceStep, each.aggregate))))
}

async function load(book: BookId, window: TimeWindow, priceStep: number, aggregate: Aggregate, signal: AbortSignal) {
  const query = { resolution_ms: window.resolutionMs, price_step: priceStep, aggregate }
  const map = depthWindowOf(await askWindow(book, 'depth-map', window, query, signal), window, priceStep)
  const ticks = yesTicksOf(marketInfo(book).value)
  const least = smallestTick(ticks, { low: 0, high: 1 })
  return ofSide(
    book,
    map,
    ({ flippedDepth }) =>
      (yes) =>
        flippedDepth(yes, (dollars) => tickAt(ticks, dollars), least),
  )
}
