// Windows of the depth map, asked for once and kept.

import type { BookId, Stretch } from '../state/view.ts'
import { marketInfo } from './answers.ts'
import { askWindow, keptWindows, windowName } from './book-windows.ts'
import type { TimeWindow } from './buckets/bucket-window.ts'
import { type DepthWindow, depthWindowOf } from './depth-window.ts'
import { ofSide } from './no-side/of-side.ts'
import { smallestTick, tickAt, yesTicksOf } from './ticks.ts'

/** A size of 4, its code of 2, and the pixel that is drawn of it of 4: all are there as long as the window. */
const CELL_BYTES = 10

export type DepthWanted = { window: TimeWindow; priceStep: number; aggregate: Stretch['aggregate'] }

const windows = keptWindows<DepthWanted, DepthWindow>({
  bytesMax: 64 * 1024 * 1024,
  bytesOf: ({ sizes }) => sizes.length * CELL_BYTES,
  nameOf: (book, { window, priceStep, aggregate }) => [windowName(book, window), priceStep, aggregate].join(' '),
  load,
})
export const { take: depthWindow, want: wantDepth } = windows

/** What of other levels of detail is there of a window's time, the coarsest: to draw until it is there itself. */
export function depthStandIn(
  book: BookId,
  { window: { startMs, endMs }, aggregate }: DepthWanted,
): DepthWindow | undefined {
  const found = windows.there(book).flatMap(([name, each]) => {
    return name.endsWith(` ${aggregate}`) && each.startMs < endMs && each.endMs > startMs ? [each] : []
  })
  return found.sort((a, b) => b.resolutionMs - a.resolutionMs || b.priceStep - a.priceStep)[0]
}

async function load(book: BookId, { window, priceStep, aggregate }: DepthWanted, signal: AbortSignal) {
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
