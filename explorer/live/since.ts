// Finds the windows that change if there are new records from an instant on.

import { windowsOf } from '../data/level-of-detail.ts'

/** Returns a test for cache names of explorer/data. Such a name starts with the book, the start of the window and the
 *  resolution, ms. The test returns true for a window that changes if there are new records from `sinceMs` on. */
export const isWindowSince =
  (bookText: string, sinceMs: number) =>
  (name: string): boolean => {
    if (!name.startsWith(`${bookText} `)) return false
    const [startMs, resolutionMs] = name
      .slice(bookText.length + 1)
      .split(' ', 2)
      .map(Number)
    const [window] = windowsOf(startMs!, startMs! + 1, resolutionMs!)
    return window !== undefined && window.endMs > sinceMs
  }
