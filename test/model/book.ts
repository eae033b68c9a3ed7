// Rebuilds one book level by level, and applies records to it (docs/books.md).

import type { TimedRecord } from './event-time.ts'
import { amount, ONE } from './exact.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { bodyOf, deltaOf, levelsOf } from './kalshi-message.ts'
import { changesOf } from './polymarket-message.ts'

/** `observed`: there was no snapshot and no agreeing hash yet, so the book has only levels that changed. `lost`:
 *  after a gap, until the next snapshot. */
export type Trust = 'observed' | 'established' | 'lost'
/** Price to size. */
export type Side = Map<bigint, bigint>
/** The best prices that the venue itself states; null for a side that it states as empty. */
type Stated = { bid: bigint | null; ask: bigint | null }
/** A book. `stated` has the best prices in the last change of Polymarket; null if the change does not state both
 *  sides. */
export type Book = { trust: Trust; bids: Side; asks: Side; stated: Stated | null }
export type Level = { price: bigint; size: bigint }
export type Top = { bid: Level | null; ask: Level | null }

export const EMPTY_TOP: Top = { bid: null, ask: null }

export const unseenBook = (): Book => ({ trust: 'observed', bids: new Map(), asks: new Map(), stated: null })

export const copyOf = ({ trust, bids, asks, stated }: Book): Book => ({
  ...{ trust, bids: new Map(bids), asks: new Map(asks) },
  stated,
})

/** Returns the bids, best first. */
export const bidLevels = ({ bids }: Book): Level[] => levelsOfSide(bids).reverse()
export const askLevels = ({ asks }: Book): Level[] => levelsOfSide(asks)

/** Returns the bids, best first. In an observed book, adds the stated best price, with size 0, if it has no level. */
export const shownBids = (book: Book): Level[] => [...unobserved(book, 'bid'), ...bidLevels(book)]
export const shownAsks = (book: Book): Level[] => [...unobserved(book, 'ask'), ...askLevels(book)]

export function unobserved({ trust, stated, bids, asks }: Book, side: 'bid' | 'ask'): Level[] {
  const price = trust === 'observed' ? (stated?.[side] ?? null) : null
  return price === null || (side === 'bid' ? bids : asks).has(price) ? [] : [{ price, size: 0n }]
}

const levelsOfSide = (side: Side): Level[] =>
  [...side].map(([price, size]) => ({ price, size })).sort((one, other) => (one.price < other.price ? -1 : 1))

export function applyRecord(book: Book, record: TimedRecord): void {
  if (record.type === 'gap') clear(book, 'lost')
  if (record.type === 'snapshot') applySnapshot(book, record)
  if (record.type !== 'delta' || book.trust === 'lost') return
  if (record.venue === 'kalshi') return applyKalshiDelta(book, bodyOf(record.msg), record.isYesScale === true)
  for (const change of changesOf(record.msg)) applyPolymarketChange(book, change)
  book.stated = statedIn(record)
  if (book.trust === 'observed' && book.stated !== null) cut(book, book.stated)
  if (record.hashOutcome === 'agrees') book.trust = 'established'
}

/** Returns the levels of `all` that `book` does not have: bids, then asks, each side best first. */
export function levelsBeyond(book: Book, all: Book): (Level & { side: 'bid' | 'ask' })[] {
  const bids = bidLevels(all).filter(({ price }) => !book.bids.has(price))
  const asks = askLevels(all).filter(({ price }) => !book.asks.has(price))
  return [
    ...bids.map((level) => ({ side: 'bid' as const, ...level })),
    ...asks.map((level) => ({ side: 'ask' as const, ...level })),
  ]
}

/** Removes levels that are better than the best prices that the venue states. */
function cut({ bids, asks }: Book, { bid, ask }: Stated): void {
  for (const price of bids.keys()) if (bid === null || price > bid) bids.delete(price)
  for (const price of asks.keys()) if (ask === null || price < ask) asks.delete(price)
}

function clear(book: Book, trust: Trust): void {
  book.bids.clear()
  book.asks.clear()
  book.trust = trust
  book.stated = null
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

/** Returns the top of the book after a quote. */
export function topAfter(book: Book): Top {
  if (book.trust !== 'observed' || book.stated === null) return topOf(book)
  const { bid, ask } = book.stated
  return {
    bid: bid === null ? null : { price: bid, size: book.bids.get(bid) ?? 0n },
    ask: ask === null ? null : { price: ask, size: book.asks.get(ask) ?? 0n },
  }
}

export function topOf(book: Book): Top {
  return { bid: best(book.bids, (a, b) => a > b), ask: best(book.asks, (a, b) => a < b) }
}

function best(side: Side, isBetter: (a: bigint, b: bigint) => boolean): Level | null {
  let found: Level | null = null
  for (const [price, size] of side) if (found === null || isBetter(price, found.price)) found = { price, size }
  return found
}

/** Returns the best prices that the venue states in the message's last entry for the book. */
function statedIn({ msg }: TimedRecord): Stated | null {
  const entry = changesOf(msg).at(-1)
  if (entry === undefined) return null
  const bid = statedPrice(entry['best_bid'], 0n)
  const ask = statedPrice(entry['best_ask'], ONE)
  return bid === undefined || ask === undefined ? null : { bid, ask }
}

/** Returns null if the venue states that the side is empty, undefined if it states no valid price. */
function statedPrice(printed: Json | undefined, emptyPrice: bigint): bigint | null | undefined {
  if (printed === '') return null
  const price = amount(printed)
  if (price === undefined || price < 0n || price > ONE) return undefined
  return price === emptyPrice ? null : price
}
