// Verifies a book against the hash that Polymarket sent with the book's last change. The hash also contains prices of
// the market's last trades. A trade may arrive up to a second after the change, so this reads the stored records
// around the change.

import type { RecordKind } from '../../storage/format/shape.ts'
import { MICROS, utcDate } from '../../storage/units.ts'
import type { BookMark, RecordPlace } from '../book/book-mark.ts'
import { hashedText } from '../book/hashed-text.ts'
import type { OrderBook } from '../book/order-book.ts'
import { PartitionReplay } from '../partition/partition-replay.ts'
import { isRead } from '../read/book-cursor.ts'
import { agreeingExtra, areOneBatch, type HashedMessage, hashedMessage } from '../venues/polymarket/book-hash.ts'
import {
  batchTradePrices,
  HASH_RECIPES,
  type HashRecipe,
  hashExtras,
  recipesOfMarket,
  TRADE_LATE_MS,
  TRADE_PRICES_MAX,
  tradePriceIn,
} from '../venues/polymarket/hash-recipe.ts'
import type { DayBlock, DayBlocks } from './day-blocks.ts'

export type VerifiedBook = { id: string; book: OrderBook; mark: BookMark }

/** Returns whether the hash agrees; null if no hash of exactly this state is stored, or if the hash cannot be checked.
 *  `day` is the day of `change`, the last change of the book. */
export async function verifyBook(
  { id, book, mark }: VerifiedBook,
  change: RecordPlace,
  day: DayBlocks,
): Promise<boolean | null> {
  if (book.trust !== 'established') return null
  const index = day.indexOf(change.record)
  const at = await day.block(index)
  const record = change.record - at.firstRecord
  const message = hashedMessage(id, (key) => at.fields.text(record, key, key !== 'timestamp'))
  if (message === null || (await isInsideBatch(day, index, record, message))) return null

  const tick = mark.tickSize
  const isOfDay = tick !== null && utcDate(tick.timeMs) === day.key.date
  const tickSize = isOfDay ? String(tick.micros / MICROS) : undefined
  const text = hashedText(book, message)
  const agrees = (tradePrices: string[]): boolean => {
    const extras = recipesOf(at, record).flatMap((recipe) => hashExtras({ recipe, tickSize, tradePrices }))
    return agreeingExtra(text, message.hash, extras) !== undefined
  }
  const stated = at.kindOf(record) === 'snapshot' ? at.fields.text(record, 'last_trade_price') : undefined
  if (stated !== undefined) return agrees([stated])
  const { before, later } = await tradePrices(day, index, record)
  if (agrees([...before, ...later])) return true
  if (agrees(batchTradePrices(await batchPrices(day, index, record, message)))) return true
  return before.length > 0 && isWholeMarket(day, id, change.timeMs) ? false : null
}

/** Returns whether the store has all trades whose prices may be in the hash: the trades of both tokens, up to one
 *  second after the change. */
function isWholeMarket({ head }: DayBlocks, id: string, timeMs: number): boolean {
  const isOtherRecorded = head.books.some((other) => other.id !== id && other.snapshotCount > 0)
  return isOtherRecorded && head.lastMs - timeMs > TRADE_LATE_MS
}

/** Returns whether further messages of the same batch follow. The venue sends a batch of changes in several messages
 *  with one hash. It is the hash of the book after the last of these messages. */
async function isInsideBatch(day: DayBlocks, index: number, record: number, message: HashedMessage): Promise<boolean> {
  const at = await day.block(index)
  if (at.kindOf(record) !== 'delta') return false
  const number = at.records.books[record]!
  for (let block = index; block < day.head.blocks.length; block++) {
    if (block > index && !isRead(day.head, day.head.blocks[block]!, number - 1)) continue
    const read = await day.block(block)
    const next = nextChange(read, number, block === index ? record + 1 : 0)
    if (next < 0) continue
    if (read.kindOf(next) !== 'delta') return false
    return areOneBatch(batchMarkAt(read, next), message)
  }
  return false
}

/** Returns the index of the first record, from `from` on, that changes the book, or is a gap of the book or of the
 *  whole market; -1 if there is none. */
function nextChange(read: DayBlock, number: number, from: number): number {
  const { recordCount, books } = read.records
  for (let record = from; record < recordCount; record++) {
    if (books[record] !== number && books[record] !== 0) continue
    const kind = read.kindOf(record)
    if (kind === 'gap' || (books[record] === number && isChange(kind))) return record
  }
  return -1
}

/** Returns the prices of the changes that the venue sent with this hash. */
async function batchPrices(day: DayBlocks, index: number, record: number, message: HashedMessage): Promise<string[]> {
  const prices: string[] = []
  const number = (await day.block(index)).records.books[record]!
  for (let block = index; block >= 0; block--) {
    if (!((day.head.blocks[block]!.bookRecords[number - 1] ?? 0) > 0)) continue
    const read = await day.block(block)
    const { records, fields } = read
    for (let before = block === index ? record : records.recordCount - 1; before >= 0; before--) {
      if (records.books[before] !== number || !isChange(read.kindOf(before))) continue
      if (!areOneBatch(batchMarkAt(read, before), message)) return prices
      prices.push(...fields.entryTexts(before, 'price'))
    }
  }
  return prices
}

const batchMarkAt = ({ fields }: DayBlock, record: number) => ({
  timestamp: fields.text(record, 'timestamp'),
  hash: fields.text(record, 'hash', true),
})

const isChange = (kind: RecordKind): boolean => kind === 'snapshot' || kind === 'delta'

type TradePrices = { before: string[]; later: string[] }

/** Returns the trade prices that a hash may contain: the day's last trade prices up to the hash, and the trade prices
 *  within a second after the hash. */
async function tradePrices(day: DayBlocks, index: number, record: number): Promise<TradePrices> {
  const at = await day.block(index)
  const before = new Set<string>()
  for (let earlier = record; earlier >= 0 && before.size < TRADE_PRICES_MAX; earlier--) addPrice(before, at, earlier)
  if (before.size < TRADE_PRICES_MAX && index > 0) {
    const { tradePrices: earlier } = PartitionReplay.hashesOf(await day.progressBefore(index))
    for (const price of earlier) before.add(price)
  }
  const later = new Set<string>()
  const untilMs = at.records.timesMs[record]! + TRADE_LATE_MS
  for (let block = index; block < day.head.blocks.length && day.head.blocks[block]!.firstMs <= untilMs; block++) {
    const read = await day.block(block)
    const { recordCount, timesMs } = read.records
    for (let next = block === index ? record + 1 : 0; next < recordCount && timesMs[next]! <= untilMs; next++) {
      addPrice(later, read, next)
    }
  }
  return { before: [...before].slice(0, TRADE_PRICES_MAX), later: [...later] }
}

function addPrice(prices: Set<string>, read: DayBlock, record: number): void {
  const price = tradePriceIn(read.kindOf(record), (key) => read.fields.text(record, key))
  if (price !== undefined) prices.add(price)
}

/** Returns the recipes that the message allows; all known recipes if the message has no `min_order_size`. */
function recipesOf({ fields }: DayBlock, record: number): readonly HashRecipe[] {
  const minOrderSize = fields.text(record, 'min_order_size')
  if (minOrderSize === undefined) return HASH_RECIPES
  return [null, ...[true, false].flatMap((hasTradePrice) => recipesOfMarket(minOrderSize, hasTradePrice))]
}
