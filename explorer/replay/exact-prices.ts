// The cache of windows of best prices after each record. Each window is computed from the book at its start and the
// changes until its end.

import { askBook } from '../data/answers.ts'
import { askWindow, cachedWindows, windowName } from '../data/book-windows.ts'
import type { TimeWindow } from '../data/buckets/bucket-window.ts'
import { ofSide } from '../data/no-side/of-side.ts'
import { CHANGE_COLUMNS, changeBlockOf } from '../data/replay/change-block.ts'
import type { BookId } from '../state/view.ts'
import { bestAfterEach, type HeldPrices } from './best-after-each.ts'

/** Length of a column, ms. A window has 1,440 columns, so it is 14.4 s long. */
export const EXACT_MS = 10

export const { take: exactPrices } = cachedWindows<TimeWindow, HeldPrices>({
  bytesMax: 8 * 1024 * 1024,
  bytesOf: ({ times }) => times.length * 24,
  nameOf: windowName,
  load,
})

async function load(book: BookId, window: TimeWindow, signal: AbortSignal): Promise<HeldPrices> {
  const { startMs } = window
  const columns = CHANGE_COLUMNS.join(',')
  const [there, bytes] = await Promise.all([
    askBook(book, { timestamp: startMs }, signal),
    askWindow(book, 'book/changes', { ...window, startMs: startMs + 1 }, { columns }, signal),
  ])
  const block = await ofSide(book, changeBlockOf(bytes, '', 0), ({ flippedChanges }) => flippedChanges)
  return bestAfterEach(there, block, startMs)
}
