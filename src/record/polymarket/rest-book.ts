// Parses a body of `/book` and checks its hash. Pure.

import { type PrintedLevel, polymarketBookHash } from '../../../workers/venues/polymarket/book-hash.ts'
import type { Json } from './messages.ts'

export type RestBook = {
  market: string
  token: string
  /** Time of the book's last change, Unix ms. */
  venueMs: number
  hash: string
  said: Json
}

export const bookPath = (token: string): string => `/book?token_id=${token}`

/** Parses a body. Returns undefined if it is not of this form, or its hash is not that of its book: it is no evidence
 *  then. */
export function readRestBook(body: string): RestBook | undefined {
  let book: Json
  try {
    book = JSON.parse(body) as Json
  } catch {
    return undefined
  }
  const { market, asset_id: token, timestamp, hash } = book ?? {}
  if (typeof market !== 'string' || typeof token !== 'string' || typeof hash !== 'string') return undefined
  if (typeof timestamp !== 'string' || !isOwnHash(book, { market, assetId: token, timestamp, hash })) return undefined
  return { market, token, venueMs: Number(timestamp), hash, said: book }
}

type Named = { market: string; assetId: string; timestamp: string; hash: string }

function isOwnHash(book: Json, { hash, ...named }: Named): boolean {
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
  const levels = list.map((level: Json | null): PrintedLevel => [String(level?.['price']), String(level?.['size'])])
  return levels
}
