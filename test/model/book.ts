// One book, level by level, and what each record does to it (docs/books.md).

import type { TimedRecord } from './event-time.ts'
import { amount, ONE } from './exact.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { bodyOf, deltaOf, levelsOf } from './kalshi-message.ts'
import { changesOf } from './polymarket-message.ts'

/** `observed`: no snapshot yet, the levels are those seen since. `lost`: after a gap, until the next snapshot. */
export type Trust = 'observed' | 'established' | 'lost'
/** Price to size. */
export type Side = Map<bigint, bigint>
export type Book = { trust: Trust; bids: Side; asks: Side }
export type Level = { price: bigint; size: bigint }
export type Top = { bid: Level | null; ask: Level | null }

export const EMPTY_TOP: Top = { bid: null, ask: null }

export const unseenBook = (): Book => ({ trust: 'observed', bids: new Map(), asks: new Map() })

export const copyOf = ({ trust, bids, asks }: Book): Book => ({ trust, bids: new Map(bids), asks: new Map(asks) })

/** Best first. */
export const bidLevels = ({ bids }: Book): Level[] => levelsOfSide(bids).reverse()
export const askLevels = ({ asks }: Book): Level[] => levelsOfSide(asks)

const levelsOfSide = (side: Side): Level[] =>
  [...side].map(([price, size]) => ({ price, size })).sort((one, other) => (one.price < other.price ? -1 : 1))

export function applyRecord(book: Book, record: TimedRecord): void {
  if (record.type === 'gap') clear(book, 'lost')
  if (record.type === 'snapshot') applySnapshot(book, record)
  if (record.type !== 'delta' || book.trust === 'lost') return
  if (record.venue === 'kalshi') applyKalshiDelta(book, bodyOf(record.msg), record.isYesScale === true)
  else for (const change of changesOf(record.msg)) applyPolymarketChange(book, change)
}

function clear(book: Book, trust: Trust): void {
  book.bids.clear()
  book.asks.clear()
  book.trust = trust
}

function applySnapshot(book: Book, { venue, msg, isYesScale }: TimedRecord): void {
  clear(book, 'established')
  if (venue === 'kalshi') {
    const body = bodyOf(msg)
    for (const { price, size } of levelsOf(body, 'yes')) setLevel(book.bids, price, size)
    for (const { price, size } of levelsOf(body, 'no'))
      setLevel(book.asks, isYesScale === true ? price : ONE - price, size)
    return
  }
  for (const level of objectsIn(msg['bids'])) setPrinted(book.bids, level)
  for (const level of objectsIn(msg['asks'])) setPrinted(book.asks, level)
}

function applyKalshiDelta(book: Book, msg: JsonObject, isYesScale: boolean): void {
  const { side, price, amount: change } = deltaOf(msg)
  if (price === undefined || change === undefined) return
  if (side === 'yes') setLevel(book.bids, price, (book.bids.get(price) ?? 0n) + change)
  const ask = isYesScale ? price : ONE - price
  if (side === 'no') setLevel(book.asks, ask, (book.asks.get(ask) ?? 0n) + change)
}

function applyPolymarketChange(book: Book, change: JsonObject): void {
  if (change['side'] === 'BUY') setPrinted(book.bids, change)
  if (change['side'] === 'SELL') setPrinted(book.asks, change)
}

function setPrinted(side: Side, level: JsonObject): void {
  const price = amount(level['price'])
  const size = amount(level['size'])
  if (price !== undefined && size !== undefined) setLevel(side, price, size)
}

function setLevel(side: Side, price: bigint, size: bigint): void {
  if (price < 0n || price > ONE) return
  if (size > 0n) side.set(price, size)
  else side.delete(price)
}

const objectsIn = (value: Json | undefined) => (Array.isArray(value) ? value.filter(isObject) : [])

/** The top of the book after a quote whose last record is this one. */
export function topAfter(book: Book, record: TimedRecord): Top {
  const stated = book.trust === 'observed' && record.venue === 'polymarket' ? statedTop(book, record) : undefined
  return stated ?? topOf(book)
}

export function topOf(book: Book): Top {
  return { bid: best(book.bids, (a, b) => a > b), ask: best(book.asks, (a, b) => a < b) }
}

function best(side: Side, isBetter: (a: bigint, b: bigint) => boolean): Level | null {
  let found: Level | null = null
  for (const [price, size] of side) if (found === null || isBetter(price, found.price)) found = { price, size }
  return found
}

/** What the venue itself says the top is, in the book's last entry of the message. */
function statedTop(book: Book, record: TimedRecord): Top | undefined {
  const entry = record.type === 'delta' ? changesOf(record.msg).at(-1) : undefined
  if (entry === undefined) return undefined
  const bid = statedLevel(entry['best_bid'], 0n, book.bids)
  const ask = statedLevel(entry['best_ask'], ONE, book.asks)
  return bid === undefined || ask === undefined ? undefined : { bid, ask }
}

/** Null where an empty side is stated, undefined where nothing is. */
function statedLevel(printed: Json | undefined, emptyPrice: bigint, side: Side): Level | null | undefined {
  if (printed === '') return null
  const price = amount(printed)
  if (price === undefined || price < 0n || price > ONE) return undefined
  return price === emptyPrice ? null : { price, size: side.get(price) ?? 0n }
}
