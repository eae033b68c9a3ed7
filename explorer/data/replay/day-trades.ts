// The cache of all trades of a book on a date. If a date has grown, requests only the new trades.

import { DAY_MS } from '../../state/shown.ts'
import type { BookId } from '../../state/view.ts'
import { AnswerCache, type Entry } from '../answer-cache.ts'
import { ask } from '../ask.ts'
import { bookQuery, bookText, isSince, marketPath, type Query } from '../book-query.ts'
import { ArrowTable } from '../columns/arrow.ts'
import { countUpTo } from '../columns/count-up-to.ts'
import { joined } from '../columns/joined.ts'
import { TRADE_NUMBERS, type TradeColumns, tradesIn, withNumbers } from '../columns/trade-columns.ts'
import { ofSide } from '../no-side/of-side.ts'

const PAGE = 100_000
const BYTES_MAX = 16 * 1024 * 1024
const cache = new AnswerCache<TradeColumns>(BYTES_MAX, ({ record }) => record.length * 40)

const nameOf = (book: BookId, date: string) => `${bookText(book)} ${date}`

export const dayTrades = (book: BookId, date: string): Entry<TradeColumns> =>
  cache.take(nameOf(book, date), (signal) => load(book, date, signal))

export const peekDayTrades = (book: BookId, date: string): TradeColumns | null => cache.peek(nameOf(book, date))

/** Marks the trades of the dates from an instant on as stale; a renewal requests only trades from the last known
 *  instant on. */
export const renewDayTrades = (book: BookId, sinceMs: number): void =>
  cache.renew((name) => isSince(name, `${bookText(book)} `, sinceMs))

export const forgetDayTrades = (book: BookId): void => cache.forget((name) => name.startsWith(`${bookText(book)} `))

async function load(book: BookId, date: string, signal: AbortSignal): Promise<TradeColumns> {
  const before = cache.peek(nameOf(book, date))
  const lastMs = before?.timestamp.at(-1)
  if (before === null || lastMs === undefined) return tradesOf(book, { date }, signal)
  // Request the last instant again: it may have got more trades.
  const bounds = { start_timestamp: lastMs, end_timestamp: Date.parse(date) + DAY_MS - 1 }
  const after = await tradesOf(book, bounds, signal)
  const known = before.timestamp.length - countUpTo(before.timestamp, lastMs - 1)
  return withNumbers(
    (name) => joined([before[name], after[name].subarray(known)]),
    [...before.side, ...after.side.slice(known)],
  )
}

async function pagesOf(book: BookId, bounds: Query, signal: AbortSignal): Promise<ArrowTable[]> {
  const query = {
    ...bookQuery(book),
    ...bounds,
    limit: PAGE,
    columns: [...TRADE_NUMBERS, 'side'].join(','),
    format: 'arrow',
  }
  const pages: ArrowTable[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const response = await ask(marketPath(book, 'trades'), { ...query, cursor }, signal)
    pages.push(new ArrowTable(new Uint8Array(await response.arrayBuffer())))
    cursor = response.headers.get('x-next-cursor')
  }
  return pages
}

const tradesOf = async (book: BookId, bounds: Query, signal: AbortSignal): Promise<TradeColumns> =>
  ofSide(book, tradesIn(await pagesOf(book, bounds, signal)), ({ flippedEach }) => flippedEach)
