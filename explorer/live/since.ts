// Finds the windows that change if there are new records from an instant on.

import { windowsOf } from '../data/level-of-detail.ts'

/** Returns a test for cache names of explorer/data, which start with the book, the start and the resolution, ms. */
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
