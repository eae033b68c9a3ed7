// Builds tables of a data set from the candles, trades and depth of a date. The rows are like the API's answers, but
// without the values that are in the path of the file. All venues have the same columns: `book` is Kalshi's ticker, or
// Polymarket's token.

import { setImmediate } from 'node:timers/promises'
import type { PartitionHead } from '../../../storage/format/partition-head.ts'
import type { Store } from '../../../storage/open-store.ts'
import type { PartitionKey } from '../../../storage/partition-key.ts'
import { DAY_MS, dateStartMs } from '../../../storage/units.ts'
import { IDENTITIES, onlyBook, VENUES } from '../../../storage/venue.ts'
import type { AnswerChunks } from '../../chunked-answer.ts'
import { tableOfDepth } from '../../depth/depth-table.ts'
import { candlesTable } from '../../files/candles-table.ts'
import { encodeTable } from '../../table/encode-table.ts'
import type { Table } from '../../table/table.ts'
import { readTrades } from '../../trades/trades-page.ts'
import { tradesTable } from '../../trades/trades-table.ts'
import type { BeginFile } from '../new-file.ts'

export type DayRows = { rows: number; chunks: AnswerChunks }

/** Name of the column with a row's book. */
export const BOOK = 'book'
const BOOK_FIELDS = new Set(VENUES.map((venue) => IDENTITIES[venue].bookField))
const DEPTH = { resolutionSeconds: 60, levels: 10, bands: ['0.01', '0.02', '0.05', '0.1'], sizes: [] } as const

/** Returns the candles of the wanted books: seconds with a quote. */
export async function candleRows(store: Store, day: PartitionKey, head: PartitionHead, wanted: readonly string[]) {
  const { rows, table } = await candlesTable(store, day, { books: head.books.filter(({ id }) => wanted.includes(id)) })
  return { rows, chunks: await asParquet(table, onlyBook(day)) }
}

/** Returns the trades of the wanted books: one book or all books, because a market has at most two. */
export async function tradeRows(
  store: Store,
  day: PartitionKey,
  { books }: PartitionHead,
  wanted: readonly string[],
): Promise<DayRows> {
  const { venue, market, date } = day
  const fromMs = dateStartMs(date)
  const book = wanted.length < books.length ? wanted[0]! : null
  const all = { book, fromMs, toMs: fromMs + DAY_MS - 1, after: null, limit: Number.POSITIVE_INFINITY }
  const trades = await readTrades(store, { venue, market, ...all }, true)
  return {
    rows: trades.count,
    chunks: await asParquet(tradesTable({ venue, market }, { ...trades, blocks: [...trades.blocks].values() })),
  }
}

/** Returns the depth of one book: each minute with a quote, ten levels. */
export async function depthRows(store: Store, { venue, market, date }: PartitionKey, book: string): Promise<DayRows> {
  const fromMs = dateStartMs(date)
  const toMs = fromMs + DAY_MS - 1
  const window = { fromMs, toMs, nowMs: toMs, fill: 'none', timestampUnit: 'ms' } as const
  const { dataPoints, table } = await tableOfDepth(store, { venue, market, book, ...window, ...DEPTH })
  return { rows: dataPoints, chunks: await asParquet(table, book) }
}

/** Encodes a table. `book` is the book of all rows, if no column has it. */
function asParquet(table: Table, book?: string) {
  const columns = table.columns.map((column) => (BOOK_FIELDS.has(column.name) ? { ...column, name: BOOK } : column))
  const constants = book === undefined ? [] : [{ name: BOOK, text: book }]
  return encodeTable({ ...table, columns, constants }, { format: 'parquet' })
}

/** Writes rows to a file. Yields to other tasks after each chunk. */
export async function writeRows({ rows, chunks }: DayRows, path: string, begin: BeginFile): Promise<number> {
  const file = begin()
  for (let next = chunks.next(); !next.done; next = chunks.next()) {
    file.write(next.value)
    await setImmediate()
  }
  file.finish(path, rows)
  return rows
}
