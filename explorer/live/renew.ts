// Marks the cached data of a market that has grown as stale, so that visible data is requested again.

import { renewAnswers } from '../data/answers.ts'
import { bookText } from '../data/book-query.ts'
import { renewWindows } from '../data/book-windows.ts'
import { forgetChanges, renewChanges } from '../data/replay/change-blocks.ts'
import { forgetDayTrades, renewDayTrades } from '../data/replay/day-trades.ts'
import { forgetRaw, renewRaw } from '../data/replay/raw-pages.ts'
import type { BookId } from '../state/view.ts'
import type { Change } from './growth.ts'
import { isWindowSince } from './since.ts'

export function renewSince(book: BookId, { sinceMs, isRewritten }: Change): void {
  renewWindows(isWindowSince(bookText(book), sinceMs))
  // If record numbers have changed, old parts must not be joined with new ones.
  if (isRewritten) for (const forget of [forgetChanges, forgetDayTrades, forgetRaw]) forget(book)
  for (const renew of [renewChanges, renewDayTrades, renewRaw]) renew(book, sinceMs)
  renewAnswers(book, { sinceMs, isRewritten })
}
