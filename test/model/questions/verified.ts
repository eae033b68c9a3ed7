// Whether Polymarket's own hash of a book agrees with the book that its records make: SHA-1 of the book as compact JSON,
// in one of two recipes. The older one ends with the levels, the present one with four values of the market.

import { createHash } from 'node:crypto'
import { askLevels, type Book, bidLevels, type Level } from '../book.ts'
import type { TimedRecord } from '../event-time.ts'
import { amount, toText } from '../exact.ts'
import type { Json, JsonObject } from '../json.ts'
import { changesOf } from '../polymarket-message.ts'
import type { Partition } from '../quotes.ts'
import { isUntil, type Placed, placedRecords } from './place.ts'
import { tickSizeOf } from './tick-size.ts'
import { tradeOf } from './trades.ts'

/** What most markets have: it is printed by REST books only. */
const MIN_ORDER_SIZE = '5'

/** Null where no hash of this very state is stored, or what its recipe needs is not known. `applied` are the records of
 *  the book that `state` is made of. */
export function verify(partitions: Partition[], book: string, applied: Placed[], state: Book): boolean | null {
  const last = applied.findLast(({ record }) => changesBook(record))
  if (last === undefined || last.record.venue === 'kalshi' || state.trust !== 'established') return null
  const stated = hashIn(last.record)
  if (stated === undefined || isInsideBatch(partitions, book, last, stated)) return null

  const levels = levelsText(last.record, state)
  if (sha1(`${levels}}`) === stated) return true
  const market = placedRecords(partitions, null).filter((placed) =>
    isUntil(placed, { date: last.date, place: last.place }),
  )
  const printed = last.record.msg
  const lastTrade = textIn(printed, 'last_trade_price') ?? lastTradePrice(market)
  const tick = tickSizeOf(applied)
  if (lastTrade === undefined || tick === undefined) return null
  const orderSize = minOrderSize(market) ?? MIN_ORDER_SIZE
  const negRisk = typeof printed['neg_risk'] === 'boolean' ? [printed['neg_risk']] : [true, false]
  return negRisk.some((isNegRisk) => {
    const values = `"min_order_size":"${orderSize}","tick_size":"${toText(tick)}","neg_risk":${isNegRisk}`
    return sha1(`${levels},${values},"last_trade_price":"${lastTrade}"}`) === stated
  })
}

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex')

const changesBook = ({ type }: TimedRecord) => type === 'snapshot' || type === 'delta' || type === 'gap'

/** Of the book after the record: of a change, that of its last entry. */
function hashIn({ type, msg }: TimedRecord): string | undefined {
  if (type === 'gap') return undefined
  const entry = type === 'delta' ? changesOf(msg).at(-1) : undefined
  return textIn(entry, 'hash') ?? textIn(msg, 'hash')
}

const textIn = (msg: JsonObject | undefined, key: string): string | undefined => {
  const value: Json | undefined = msg?.[key]
  return typeof value === 'string' ? value : undefined
}

/** The venue sends one batch of changes in several messages with the same hash: it is of the book after the last. */
function isInsideBatch(partitions: Partition[], book: string, last: Placed, stated: string): boolean {
  const later = placedRecords(partitions, book).filter(
    (placed) => !isUntil(placed, { date: last.date, place: last.place }) && changesBook(placed.record),
  )
  const next = later[0]?.record
  if (next?.type !== 'delta') return false
  return next.msg['timestamp'] === last.record.msg['timestamp'] && hashIn(next) === stated
}

/** Bids ascend, asks descend. */
function levelsText({ msg, book }: TimedRecord, state: Book): string {
  const print = (levels: Level[]) =>
    levels.map(({ price, size }) => `{"price":"${toText(price)}","size":"${toText(size)}"}`).join()
  const bids = print(bidLevels(state).reverse())
  const asks = print(askLevels(state).reverse())
  const head = `"market":"${msg['market']}","asset_id":"${book}","timestamp":"${msg['timestamp']}","hash":""`
  return `{${head},"bids":[${bids}],"asks":[${asks}]`
}

/** It is of the market, not of the book. */
function lastTradePrice(market: Placed[]): string | undefined {
  const prices = market.map(({ record }) => {
    if (record.type === 'snapshot') return textIn(record.msg, 'last_trade_price')
    const trade = tradeOf(record)
    return trade === undefined ? undefined : withThreeDecimals(toText(trade.price))
  })
  return prices.findLast((price) => price !== undefined)
}

function withThreeDecimals(text: string): string {
  const [whole, fraction = ''] = text.split('.')
  return `${whole}.${fraction.padEnd(3, '0')}`
}

function minOrderSize(market: Placed[]): string | undefined {
  const sizes = market.map(({ record }) => (record.type === 'snapshot' ? record.msg['min_order_size'] : undefined))
  const size = sizes.map((value) => amount(value)).findLast((value) => value !== undefined)
  return size === undefined ? undefined : toText(size)
}
