// A body of `/book`: whether it is what its hash says, and what it says. Pure.

import { type PrintedLevel, polymarketBookHash } from '../../../workers/venues/polymarket/book-hash.ts'
import type { Json } from './messages.ts'

export type RestBook = {
  market: string
  token: string
  /** Unix ms of the last change of the book. */
  venueMs: number
  hash: string
  said: Json
}

export const bookPath = (token: string): string => `/book?token_id=${token}`

/** Undefined for a body that is not of this form, or whose hash is not that of its book: it proves nothing then. */
export function readRestBook(body: string): RestBook | undefined {
  let said: Json
  try {
    said = JSON.parse(body) as Json
  } catch {
    return undefined
  }
  const { market, asset_id: token, timestamp, hash } = said ?? {}
  if (typeof market !== 'string' || typeof token !== 'string' || typeof hash !== 'string') return undefined
  if (typeof timestamp !== 'string' || !isOwnHash(said, { market, assetId: token, timestamp, hash })) return undefined
  return { market, token, venueMs: Number(timestamp), hash, said }
}

type Named = { market: string; assetId: string; timestamp: string; hash: string }

function isOwnHash(said: Json, { hash, ...named }: Named): boolean {
  const [bids, asks] = [levelsOf(said['bids']), levelsOf(said['asks'])]
  if (bids === undefined || asks === undefined) return false
  const { min_order_size, tick_size, neg_risk, last_trade_price } = said
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
