// Answers trades: the content of each trade record, and the trades of a date or a window, in pages.

import type { TimedRecord } from '../event-time.ts'
import { amount, ONE, toNumber } from '../exact.ts'
import type { Json, JsonObject } from '../json.ts'
import { bodyOf, dollars } from '../kalshi-message.ts'
import { type Partition, recordsOf } from '../quotes.ts'
import { type RangeRequest, rangeOf } from '../summary.ts'
import { type Placed, placedRecords } from './place.ts'

type TakerSide = 'buy' | 'sell' | null
/** An exact trade. `side` says whether the taker bought or sold the contract of the book. */
export type Trade = { price: bigint; size: bigint; side: TakerSide; id: string | null }

export type TradeRow = {
  timestamp: number
  asset_id?: string | null
  ticker?: string
  price: number
  size: number
  side: TakerSide
  trade_id: string | null
  record: number
}

type Words = Map<Json | undefined, TakerSide>
/** Maps the venue's word to what the taker did with the contract of the book. */
const ACTIONS: Words = new Map([
  ['BUY', 'buy'],
  ['buy', 'buy'],
  ['SELL', 'sell'],
  ['sell', 'sell'],
])
/** Maps a word of Kalshi, for the taker's outcome or the side of the book, to what the taker did: a buyer of NO sells
 *  YES. */
const OUTCOMES: Words = new Map([
  ['yes', 'buy'],
  ['bid', 'buy'],
  ['no', 'sell'],
  ['ask', 'sell'],
])

/** Returns undefined for a record of another type, or if the price or the size cannot be read. */
export function tradeOf(record: TimedRecord): Trade | undefined {
  if (record.type !== 'trade') return undefined
  return record.venue === 'kalshi' ? kalshiTrade(bodyOf(record.msg)) : polymarketTrade(record.msg)
}

/** Returns the trade with its price in dollars of YES: older messages print cents. */
function kalshiTrade(msg: JsonObject): Trade | undefined {
  const [priceKey, price] = firstOf(msg, ['yes_price_dollars', 'yes_price', 'price_dollars', 'price'])
  const [, size] = firstOf(msg, ['count_fp', 'count', 'size', 'contracts_traded'])
  const [, side] = firstOf(msg, ['taker_side', 'taker_outcome_side', 'taker_book_side', 'side'])
  return readable(dollars(priceKey, price), amount(size), OUTCOMES.get(side), msg['trade_id'])
}

const polymarketTrade = (msg: JsonObject) =>
  readable(amount(msg['price']), amount(msg['size']), ACTIONS.get(msg['side']), msg['transaction_hash'])

function readable(
  price: bigint | undefined,
  size: bigint | undefined,
  side: TakerSide | undefined,
  id: Json | undefined,
): Trade | undefined {
  if (price === undefined || size === undefined || price < 0n || price > ONE || size < 0n) return undefined
  return { price, size, side: side ?? null, id: typeof id === 'string' ? id : null }
}

/** Returns the first key whose value is present and not null, with the value. */
function firstOf(msg: JsonObject, keys: string[]): [key: string, value: Json | undefined] {
  const key = keys.find((candidate) => (msg[candidate] ?? null) !== null) ?? ''
  return [key, msg[key]]
}

/** Returns the row of a trade; undefined for any other record, and for a trade that cannot be read. */
export function tradeRow({ record, place }: Placed): TradeRow | undefined {
  const trade = tradeOf(record)
  if (trade === undefined) return undefined
  const book = record.venue === 'kalshi' ? { ticker: record.market } : { asset_id: record.book }
  const { price, size, side, id } = trade
  const amounts = { price: toNumber(price), size: toNumber(size) }
  return { timestamp: record.timestamp, ...book, ...amounts, side, trade_id: id, record: place }
}

/** Returns the trades of a range in stored order; those of all books if `book` is null. */
export function tradesIn(partitions: Partition[], book: string | null, request: RangeRequest): TradeRow[] {
  const { start, end } = rangeOf(request)
  return placedRecords(partitions, book)
    .filter(({ record }) => record.timestamp >= start && record.timestamp <= end)
    .flatMap((placed) => tradeRow(placed) ?? [])
}

export type TradeOfBook = Trade & { time: number }

export const tradesOfBook = (partition: Partition, book: string): TradeOfBook[] =>
  recordsOf(partition, book).flatMap((record) => {
    const trade = tradeOf(record)
    return trade === undefined ? [] : [{ ...trade, time: record.timestamp }]
  })
