// Windows of the depth map, asked for once and kept.

import type { BookId, Stretch } from '../state/view.ts'
import { ask } from './ask.ts'
import { bookQuery, bookText, marketPath } from './book-query.ts'
import { type DepthWindow, depthWindowOf } from './depth-window.ts'
import { type Entry, Kept } from './kept.ts'
import type { TimeWindow } from './level-of-detail.ts'

type Aggregate = Stretch['aggregate']

const BYTES_MAX = 96 * 1024 * 1024
const kept = new Kept<DepthWindow>(BYTES_MAX, ({ sizes }) => sizes.byteLength)

const nameOf = (book: BookId, { startMs, resolutionMs }: TimeWindow, priceStep: number, aggregate: Aggregate) =>
  [bookText(book), startMs, resolutionMs, priceStep, aggregate].join(' ')

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

/** If it is there already. */
export const peekDepthWindow = (book: BookId, window: TimeWindow, priceStep: number, aggregate: Aggregate) =>
  kept.peek(nameOf(book, window, priceStep, aggregate))

export const forgetDepth = (matches: (name: string) => boolean) => kept.forget(matches)

async function load(book: BookId, window: TimeWindow, priceStep: number, aggregate: Aggregate, signal: AbortSignal) {
  const query = {
    ...bookQuery(book),
    start_timestamp: window.startMs,
    end_timestamp: window.endMs - 1,
    resolution_ms: window.resolutionMs,
    price_step: priceStep,
    aggregate,
    format: 'arrow',
  }
  const response = await ask(marketPath(book, 'depth-map'), query, signal)
  return depthWindowOf(new Uint8Array(await response.arrayBuffer()), window, priceStep)
}
