// Every trade of a book on a date, asked for once and kept. Of a date that grows only what is new is asked for.

import { DAY_MS } from '../../state/shown.ts'
import type { BookId } from '../../state/view.ts'
import { ArrowTable } from '../arrow.ts'
import { ask } from '../ask.ts'
import { bookQuery, bookText, isSince, marketPath, type Query } from '../book-query.ts'
import { countUpTo } from '../count-up-to.ts'
import { joined } from '../joined.ts'
import { type Entry, Kept } from '../kept.ts'
import { ofSide } from '../no-side/of-side.ts'
import type { DayTrades, Trade } from './trade-columns.ts'

const COLUMNS = ['timestamp', 'record', 'price', 'size', 'side'] as const
const PAGE = 100_000
const BYTES_MAX = 16 * 1024 * 1024
const kept = new Kept<DayTrades>(BYTES_MAX, ({ records }) => records.length * 40)

const nameOf = (book: BookId, date: string) => `${bookText(book)} ${date}`

export const dayTrades = (book: BookId, date: string): Entry<DayTrades> =>
  kept.take(nameOf(book, date), (signal) => load(book, date, signal))

export const peekDayTrades = (book: BookId, date: string): DayTrades | null => kept.peek(nameOf(book, date))

/** Asks again for the trades of dates from an instant on: those behind the ones that are there. */
export const renewDayTrades = (book: BookId, sinceMs: number): void =>
  kept.renew((name) => isSince(name, `${bookText(book)} `, sinceMs))

export const forgetDayTrades = (book: BookId): void => kept.forget((name) => name.startsWith(`${bookText(book)} `))

async function load(book: BookId, date: string, signal: AbortSignal): Promise<DayTrades> {
  const before = kept.peek(nameOf(book, date))
  const lastMs = before?.timesMs.at(-1)
  if (before === null || lastMs === undefined) return tradesOf(book, { date }, signal)
  // Those of the last instant come again: others may have been of it.
  const bounds = { start_timestamp: lastMs, end_timestamp: Date.parse(date) + DAY_MS - 1 }
  const after = await tradesOf(book, bounds, signal)
  const known = countUpTo(after.records, before.records.at(-1)!)
  const numbers = (name: 'timesMs' | 'records' | 'prices' | 'sizes') =>
    joined([before[name], after[name].subarray(known)])
  return {
    ...{ timesMs: numbers('timesMs'), records: numbers('records'), prices: numbers('prices'), sizes: numbers('sizes') },
    sides: [...before.sides, ...after.sides.slice(known)],
  }
}

async function pagesOf(book: BookId, bounds: Query, signal: AbortSignal): Promise<ArrowTable[]> {
  const query = { ...bookQuery(book), ...bounds, limit: PAGE, columns: COLUMNS.join(','), format: 'arrow' }
  const pages: ArrowTable[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const response = await ask(marketPath(book, 'trades'), { ...query, cursor }, signal)
    pages.push(new ArrowTable(new Uint8Array(await response.arrayBuffer())))
    cursor = response.headers.get('x-next-cursor')
  }
  return pages
}

async function tradesOf(book: BookId, bounds: Query, signal: AbortSignal): Promise<DayTrades> {
  const pages = await pagesOf(book, bounds, signal)
  const numbers = (name: (typeof COLUMNS)[number]) => joined(pages.map((page) => page.numbers(name)))
  const trades: DayTrades = {
    timesMs: numbers('timestamp'),
    records: numbers('record'),
    prices: numbers('price'),
    sizes: numbers('size'),
    sides: pages.flatMap((page) => page.texts('side') as Trade['side'][]),
  }
  return ofSide(book, trades, ({ flippedDay }) => flippedDay)
}
