// The book of a token, which the recorder compares with REST, and the body of `/book` of REST. Pure.

import { isObject, type JsonObject } from '../../../../workers/venues/described-message.ts'
import { type PrintedLevel, polymarketBookHash } from '../../../../workers/venues/polymarket/book-hash.ts'
import { type Levels, microsOf, SignedBook, signedLevels, signedPrice } from '../../audit/audited-book.ts'

const SIGNS: Readonly<Record<string, 1 | -1>> = { BUY: 1, SELL: -1 }

export class TokenBook extends SignedBook {
  /** Replaces the book by one from the socket or REST. */
  replace(book: JsonObject): void {
    this.become(levelsIn(book))
  }

  /** Applies one entry of a change. */
  apply({ price, size, side }: JsonObject): void {
    this.set(signedPrice(price, SIGNS[String(side)]), microsOf(size))
  }
}

/** Parses the levels of a book. Returns undefined if a level cannot be parsed. */
const levelsIn = ({ bids, asks }: JsonObject): Levels | undefined =>
  signedLevels(bids, asks, (level) => {
    const { price, size } = Object(level) as JsonObject
    return [price, size]
  })

type RestBook = {
  market: string
  token: string
  /** Time of the book's last change, Unix ms. */
  venueMs: number
  hash: string
  json: JsonObject
}

export const bookPath = (token: string): string => `/book?token_id=${token}`

/** Reads a body of `/book`. Returns undefined if the body has another form, or if its hash does not match its book:
 *  the body then does not show the book's state. */
export function readRestBook(book: unknown): RestBook | undefined {
  if (!isObject(book)) return undefined
  const { market, asset_id: token, timestamp, hash } = book
  if (typeof market !== 'string' || typeof token !== 'string' || typeof hash !== 'string') return undefined
  if (typeof timestamp !== 'string' || !isOwnHash(book, { market, assetId: token, timestamp, hash })) return undefined
  return { market, token, venueMs: Number(timestamp), hash, json: book }
}

type Named = { market: string; assetId: string; timestamp: string; hash: string }

function isOwnHash(book: JsonObject, { hash, ...named }: Named): boolean {
  const [bids, asks] = [levelsOf(book['bids']), levelsOf(book['asks'])]
  if (bids === undefined || asks === undefined) return false
  const { min_order_size, tick_size, neg_risk, last_trade_price } = book
  const extra = {
    minOrderSize: String(min_order_size),
    tickSize: String(tick_size),
    negRisk: neg_risk === true,
    lastTradePrice: String(last_trade_price ?? ''),
  }
  return polymarketBookHash({ ...named, bids, asks }, extra) === hash
}

function levelsOf(list: unknown): PrintedLevel[] | undefined {
  if (!Array.isArray(list)) return undefined
  const levels = list.map(
    (level: JsonObject | null): PrintedLevel => [String(level?.['price']), String(level?.['size'])],
  )
  return levels
}

/** Reads a body into levels by token. Returns an empty map if `readRestBook` cannot read the body. */
export function restLevels(json: unknown): Map<string, Levels> {
  const book = readRestBook(json)
  const levels = book && levelsIn(book.json)
  return new Map(levels === undefined ? [] : [[book!.token, levels]])
}
