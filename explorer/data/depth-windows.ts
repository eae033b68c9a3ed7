// The cache of depth-map windows.

import type { BookId, Stretch } from '../state/view.ts'
import { marketInfo } from './answers.ts'
import { askWindow, cachedWindows, windowName } from './book-windows.ts'
import type { TimeWindow } from './buckets/bucket-window.ts'
import { type DepthWindow, depthWindowOf } from './depth-window.ts'
import { ofSide } from './no-side/of-side.ts'
import { smallestTick, tickAt, yesTicksOf } from './ticks.ts'

/** Bytes of a cell: 4 for the size, 2 for its code and 4 for its pixel, all held as long as the window. */
const CELL_BYTES = 10

export type DepthWanted = { window: TimeWindow; priceStep: number; aggregate: Stretch['aggregate'] }

const windows = cachedWindows<DepthWanted, DepthWindow>({
  bytesMax: 64 * 1024 * 1024,
  bytesOf: ({ sizes }) => sizes.length * CELL_BYTES,
  nameOf: (book, { window, priceStep, aggregate }) => [windowName(book, window), priceStep, aggregate].join(' '),
  load,
})
export const { take: depthWindow, want: wantDepth } = windows

/** Returns the coarsest loaded window that overlaps this one in time, to draw until this one has loaded. */
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
