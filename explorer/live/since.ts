// Which windows are changed by records from an instant on.

import { windowsOf } from '../data/level-of-detail.ts'

/** By the names that explorer/data keeps them by: the book, the start and the resolution, ms and more. */
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
