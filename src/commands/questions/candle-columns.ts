// The buckets of a summary as rows of plain columns, for CSV, Parquet and people: a candle is four columns.

import type { Bucket } from './summary-answer.ts'

export type Cell = number | boolean | null
type CandleName = 'best_bid' | 'best_ask' | 'mid_price' | 'spread'

const CANDLES: CandleName[] = ['best_bid', 'best_ask', 'mid_price', 'spread']
const PARTS = ['open', 'high', 'low', 'close'] as const

export type CandleColumn = {
  name: string
  type: 'INT64' | 'INT32' | 'BOOLEAN' | 'DOUBLE'
  isNullable: boolean
  of: (bucket: Bucket) => Cell
}

const price = (name: CandleName): CandleColumn => ({ name, type: 'DOUBLE', isNullable: true, of: (each) => each[name] })
const size = (name: 'best_bid_size' | 'best_ask_size'): CandleColumn => ({
  name,
  type: 'DOUBLE',
  isNullable: false,
  of: (each) => each[name],
})

export const CANDLE_COLUMNS: readonly CandleColumn[] = [
  { name: 'timestamp', type: 'INT64', isNullable: false, of: (each) => each.timestamp },
  { name: 'quote_count', type: 'INT32', isNullable: false, of: (each) => each.quote_count },
  { name: 'is_forward_filled', type: 'BOOLEAN', isNullable: false, of: (each) => each.is_forward_filled },
  price('best_bid'),
  size('best_bid_size'),
  price('best_ask'),
  size('best_ask_size'),
  price('mid_price'),
  price('spread'),
  ...CANDLES.flatMap((candle) =>
    PARTS.map((part): CandleColumn => {
      const of = (each: Bucket) => each[`${candle}_ohlc`][part]
      return { name: `${candle}_${part}`, type: 'DOUBLE', isNullable: true, of }
    }),
  ),
]

export const CSV_HEAD = `${CANDLE_COLUMNS.map(({ name }) => name).join(',')}\n`

/** What is null is left empty. Nothing in a row needs quotes. */
export const csvRow = (bucket: Bucket): string => `${CANDLE_COLUMNS.map(({ of }) => of(bucket) ?? '').join(',')}\n`

const TABLE_COLUMNS: [head: string, width: number, of: (bucket: Bucket) => string][] = [
  ['QUOTES', 7, ({ quote_count }) => String(quote_count)],
  ['BID', 9, ({ best_bid }) => text(best_bid)],
  ['SIZE', 13, ({ best_bid_size }) => text(best_bid_size)],
  ['ASK', 9, ({ best_ask }) => text(best_ask)],
  ['SIZE', 13, ({ best_ask_size }) => text(best_ask_size)],
  ['MID', 10, ({ mid_price }) => text(mid_price)],
  ['SPREAD', 9, ({ spread }) => text(spread)],
]
const TIME_WIDTH = 'YYYY-MM-DD HH:MM:SS'.length

const text = (value: number | null) => (value === null ? '-' : String(value))
const line = (cells: string[]) => `${cells.join(' ')}\n`

/** Of fixed widths, so that rows can be printed as they come. */
export const TABLE_HEAD = line(['TIME (UTC)'.padEnd(TIME_WIDTH), ...TABLE_COLUMNS.map(([head, w]) => head.padStart(w))])

export function tableRow(bucket: Bucket, unit: 'ms' | 's'): string {
  const time = new Date(bucket.timestamp * (unit === 's' ? 1_000 : 1)).toISOString().slice(0, TIME_WIDTH)
  return line([time.replace('T', ' '), ...TABLE_COLUMNS.map(([, width, of]) => of(bucket).padStart(width))])
}
