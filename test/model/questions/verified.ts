// Checks Polymarket's own hash of a book against the book that its records make. The hash is the SHA-1 of the book as
// compact JSON, in one of three recipes. The oldest ends with the levels. The second adds three values of the market,
// and the present one also adds the price of the last trade.

import { createHash } from 'node:crypto'
import { askLevels, type Book, bidLevels, type Level } from '../book.ts'
import type { TimedRecord } from '../event-time.ts'
import { toText } from '../exact.ts'
import type { Json, JsonObject } from '../json.ts'
import { changesOf } from '../polymarket-message.ts'
import type { Partition } from '../quotes.ts'
import { type Placed, placedRecords } from './place.ts'
import { tickSizeOf } from './tick-size.ts'
import { tradeOf } from './trades.ts'

/** Messages of the WebSocket do not print the minimum order size, so all known values are tried. */
const MIN_ORDER_SIZES = ['5', '1', '15', '10', '20', '0']
const TICK_SIZES = ['0.01', '0.001', '0.1', '0.0001']
const PRICES_MAX = 8
const BATCH_PRICES_MAX = 16
/** The venue hashes a trade at most this many ms before it sends the trade. */
const SENT_WITHIN_MS = 1_000

/** Returns whether the venue's hash agrees with `state`; null if no hash of exactly this state is stored, or if the
 *  hash cannot be checked. `applied` are the records of the book that make `state`. A hash has 160 bits, so a recipe
 *  does not agree by chance. */
export function verify(partitions: Partition[], book: string, applied: Placed[], state: Book): boolean | null {
  const last = applied.findLast(({ record }) => changesBook(record))
  if (last === undefined || last.record.venue === 'kalshi' || state.trust !== 'established') return null
  const stated = hashIn(last.record)
  const day = partitions.filter(({ date }) => date === last.date)
  if (stated === undefined || isInsideBatch(placedRecords(day, book), last, stated)) return null

  const levels = levelsText(last.record, state)
  const market = placedRecords(day, null)
  const prices = tradePrices(market, last)
  const batch = batchPrices(placedRecords(day, book), last, stated)
  const ofDay = applied.filter(({ date }) => date === last.date)
  const tried = [...prices.before, ...prices.after, ...batch].flatMap(withOther)
  const extras = extrasOf(last.record.msg, tickSizeOf(ofDay), tried)
  if ([`${levels}}`, ...extras.map((extra) => `${levels},${extra}}`)].some((text) => sha1(text) === stated)) return true
  if (textIn(last.record.msg, 'last_trade_price') !== undefined) return false
  const isOtherRecorded = market.some(({ record }) => record.type === 'snapshot' && record.book !== book)
  const isSecondOver = market.some(({ record }) => record.timestamp > last.record.timestamp + SENT_WITHIN_MS)
  return prices.before.length > 0 && isOtherRecorded && isSecondOver ? false : null
}

/** Adds the price for the other token, since a trade may be reported at either. */
function withOther(price: string): string[] {
  const places = Math.max(3, price.split('.')[1]?.length ?? 0)
  return price === '' ? [price] : [price, (1 - Number(price)).toFixed(places)]
}

/** Returns the prices of the changes with this hash, up to the last one: the last trade may have made these changes. */
function batchPrices(records: Placed[], last: Placed, stated: string): string[] {
  const changes = records.filter(({ place, record }) => place <= last.place && changesBook(record))
  const other = changes.findLastIndex(
    ({ record }) => hashIn(record) !== stated || record.msg['timestamp'] !== last.record.msg['timestamp'],
  )
  const entries = changes
    .slice(other + 1)
    .flatMap(({ record }) => (record.type === 'delta' ? changesOf(record.msg) : []))
  const prices = entries.map((entry) => textIn(entry, 'price')).filter((price) => price !== undefined)
  return [...new Set(prices.map(withThreeDecimals))].slice(0, BATCH_PRICES_MAX)
}

/** Returns all texts that may follow the levels in the later recipes. */
function extrasOf(msg: JsonObject, tick: bigint | undefined, prices: string[]): string[] {
  const orderSizes = textIn(msg, 'min_order_size') === undefined ? MIN_ORDER_SIZES : [textIn(msg, 'min_order_size')]
  const ticks = tick === undefined ? TICK_SIZES : [toText(tick)]
  const negRisks = typeof msg['neg_risk'] === 'boolean' ? [msg['neg_risk']] : [true, false]
  return orderSizes.flatMap((orderSize) =>
    ticks.flatMap((tickSize) =>
      negRisks.flatMap((negRisk) =>
        ['', ...prices.map((price) => `,"last_trade_price":"${price}"`)].map(
          (lastTrade) => `"min_order_size":"${orderSize}","tick_size":"${tickSize}","neg_risk":${negRisk}${lastTrade}`,
        ),
      ),
    ),
  )
}

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex')

const changesBook = ({ type }: TimedRecord) => type === 'snapshot' || type === 'delta' || type === 'gap'

/** Returns the venue's hash of the book after the record; a delta has it in its last entry. */
function hashIn({ type, msg }: TimedRecord): string | undefined {
  if (type === 'gap') return undefined
  const entry = type === 'delta' ? changesOf(msg).at(-1) : undefined
  const isWhole = textIn(msg, 'market') !== undefined && textIn(msg, 'timestamp') !== undefined
  const hash = textIn(entry, 'hash') ?? textIn(msg, 'hash')
  return isWhole && hash !== undefined && /^[0-9a-f]{40}$/.test(hash) ? hash : undefined
}

const textIn = (msg: JsonObject | undefined, key: string): string | undefined => {
  const value: Json | undefined = msg?.[key]
  return typeof value === 'string' ? value : undefined
}

/** Returns whether another message of the same batch follows. All messages of a batch have the hash of the book after
 *  the last one. */
function isInsideBatch(records: Placed[], last: Placed, stated: string): boolean {
  const next = records.find((placed) => placed.place > last.place && changesBook(placed.record))?.record
  if (last.record.type !== 'delta' || next?.type !== 'delta') return false
  return next.msg['timestamp'] === last.record.msg['timestamp'] && hashIn(next) === stated
}

/** Returns the levels as the venue hashes them: bids ascend, asks descend. */
function levelsText({ msg, book }: TimedRecord, state: Book): string {
  const print = (levels: Level[]) =>
    levels.map(({ price, size }) => `{"price":"${toText(price)}","size":"${toText(size)}"}`).join()
  const bids = print(bidLevels(state).reverse())
  const asks = print(askLevels(state).reverse())
  const head = `"market":"${msg['market']}","asset_id":"${book}","timestamp":"${msg['timestamp']}","hash":""`
  return `{${head},"bids":[${bids}],"asks":[${asks}]`
}

/** Returns prices of the market's trades up to the record, and of those within a second after it. */
function tradePrices(market: Placed[], last: Placed): { before: string[]; after: string[] } {
  const own = textIn(last.record.msg, 'last_trade_price')
  if (own !== undefined) return { before: [own], after: [] }
  const before = market.filter(({ place }) => place <= last.place).flatMap(priceIn)
  const until = last.record.timestamp + SENT_WITHIN_MS
  const after = market.filter(({ place, record }) => place > last.place && record.timestamp <= until).flatMap(priceIn)
  return { before: [...new Set(before.reverse())].slice(0, PRICES_MAX), after }
}

function priceIn({ record }: Placed): string[] {
  if (record.type === 'snapshot') return [textIn(record.msg, 'last_trade_price')].filter((price) => price !== undefined)
  const trade = tradeOf(record)
  return trade === undefined ? [] : [withThreeDecimals(toText(trade.price))]
}

function withThreeDecimals(text: string): string {
  const [whole, fraction = ''] = text.split('.')
  return `${whole}.${fraction.padEnd(3, '0')}`
}
