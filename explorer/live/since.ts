// Which of what is kept is changed by records from an instant on. Names are those that explorer/data keeps it by.

import { windowsOf } from '../data/level-of-detail.ts'
import { BLOCK_RECORDS } from '../data/replay/change-block.ts'

/** Names of windows: the book, the start and the resolution, ms, and what else there is. */
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

/** Names of blocks that end with a date and an index: the last of the last date, and any behind it. */
export function lastBlocks(dates: readonly { date: string; record_count: number }[]): (name: string) => boolean {
  const last = dates.at(-1)
  return (name) => {
    const [date = '', index] = name.split(' ').slice(-2)
    if (last === undefined || date > last.date) return true
    return date === last.date && (Number(index) + 1) * BLOCK_RECORDS >= last.record_count
  }
}
