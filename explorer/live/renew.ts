// What is kept of a market that has grown, asked for again: all that is of a time from an instant on.

import { renewAnswers } from '../data/answers.ts'
import { bookText } from '../data/book-query.ts'
import { renewDepth } from '../data/depth-windows.ts'
import { renewEachTrade } from '../data/each-trade.ts'
import { renewQuotes } from '../data/quote-windows.ts'
import { forgetChanges } from '../data/replay/change-blocks.ts'
import { forgetDayTrades } from '../data/replay/day-trades.ts'
import { forgetRaw } from '../data/replay/raw-pages.ts'
import { renewTrades } from '../data/trade-windows.ts'
import type { BookId } from '../state/view.ts'
import { isWindowSince, lastBlocks } from './since.ts'

/** `dates` are what was known to be stored before it grew. */
export function renewSince(book: BookId, sinceMs: number, dates: readonly { date: string; record_count: number }[]) {
  const text = bookText(book)
  const isWindow = isWindowSince(text, sinceMs)
  for (const renew of [renewQuotes, renewTrades, renewDepth, renewEachTrade]) renew(isWindow)
  const isLast = lastBlocks(dates)
  forgetChanges((name) => name.startsWith(`${text} `) && isLast(name))
  const market = `${book.venue} ${book.market} `
  const today = new Date(sinceMs).toISOString().slice(0, 10)
  const isOfToday = (name: string) => name.startsWith(market) && name.includes(today)
  forgetRaw(isOfToday)
  forgetDayTrades(isOfToday)
  renewAnswers(book, sinceMs)
}
