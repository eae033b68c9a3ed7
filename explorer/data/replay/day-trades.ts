// Every trade of a book on a date, asked for once and kept.

import { tableFromIPC } from '@uwdata/flechette'
import type { BookId } from '../../state/view.ts'
import { ask } from '../ask.ts'
import { bookQuery, bookText, marketPath } from '../book-query.ts'
import { type Entry, Kept } from '../kept.ts'

export type Trade = { ms: number; record: number; price: number; size: number; side: 'buy' | 'sell' | null }

/** As stored, which is by place in the date. */
export type DayTrades = {
  timesMs: Float64Array
  records: Float64Array
  prices: Float64Array
  sizes: Float64Array
  sides: readonly Trade['side'][]
}

const COLUMNS = ['timestamp', 'record', 'price', 'size', 'side'] as const
const PAGE = 100_000
const BYTES_MAX = 16 * 1024 * 1024
const kept = new Kept<DayTrades>(BYTES_MAX, ({ records }) => records.length * 40)

const nameOf = (book: BookId, date: string) => `${bookText(book)} ${date}`

export const dayTrades = (book: BookId, date: string): Entry<DayTrades> =>
  kept.take(nameOf(book, date), (signal) => load(book, date, signal))

export const peekDayTrades = (book: BookId, date: string): DayTrades | null => kept.peek(nameOf(book, date))

export const forgetDayTrades = (matches: (name: string) => boolean) => kept.forget(matches)

export const tradeAt = ({ timesMs, records, prices, sizes, sides }: DayTrades, row: number): Trade => ({
  ms: timesMs[row]!,
  record: records[row]!,
  price: prices[row]!,
  size: sizes[row]!,
  side: sides[row]!,
})

async function load(book: BookId, date: string, signal: AbortSignal): Promise<DayTrades> {
  const query = { ...bookQuery(book), date, limit: PAGE, columns: COLUMNS.join(','), format: 'arrow' }
  const columns: unknown[][] = COLUMNS.map(() => [])
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const response = await ask(marketPath(book, 'trades'), { ...query, cursor }, signal)
    const table = tableFromIPC(new Uint8Array(await response.arrayBuffer()))
    for (const [i, name] of COLUMNS.entries()) {
      for (const value of table.getChild(name).toArray() as Iterable<unknown>) columns[i]!.push(value)
    }
    cursor = response.headers.get('x-next-cursor')
  }
  const [timesMs, records, prices, sizes] = columns.map((values) => Float64Array.from(values, Number)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  return { timesMs, records, prices, sizes, sides: columns[4] as Trade['side'][] }
}
