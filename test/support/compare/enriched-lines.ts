// Random captures with data that only later endpoints need: trades of every form, tick sizes, hashes of books.

import { createHash } from 'node:crypto'
import type { Random } from '../../../workers/synthetic/random.ts'
import { amount, toText } from '../../model/exact.ts'
import type { JsonObject } from '../../model/json.ts'
import { RandomCapture } from '../../workers/load/random-capture.ts'

export function enrichedLines(seed: number, isEnveloped: boolean, count: number): string[] {
  const capture = new RandomCapture(seed, isEnveloped)
  return capture.lines(count).map((line) => {
    const value = JSON.parse(line) as JsonObject
    const event = value['event'] as JsonObject | undefined
    return JSON.stringify(
      event === undefined ? enriched(value, capture.random) : { ...value, event: enriched(event, capture.random) },
    )
  })
}

function enriched(message: JsonObject, random: Random): JsonObject {
  const { type, event_type: eventType, msg } = message
  if (type === 'trade') return kalshiTrade(message, msg as JsonObject, random)
  if (eventType === 'last_trade_price') return polymarketTrade({ ...message, ...polymarketTaker(random) }, random)
  if (eventType === 'book') return hashedBook(message, random)
  if (eventType === 'new_thing' && random.chance(0.7)) {
    const tick = { asset_id: random.pick(['101', '202']), new_tick_size: random.pick(['0.01', '0.001', 'x']) }
    return { ...message, event_type: 'tick_size_change', ...tick }
  }
  return message
}

const SIZES = ['1.88', '216.216215', '0.000001', '20', '0', '12345.678901', '-1', 'x']
const priceOf = (random: Random) => random.pick(['0.3100', '0.48', '0.4195', '.07', '1.2', '0.31', '0.999', '0.52'])

function kalshiTrade(message: JsonObject, msg: JsonObject, random: Random): JsonObject {
  const price: JsonObject = random.chance(0.7)
    ? { yes_price_dollars: priceOf(random), no_price_dollars: '0.5' }
    : { yes_price: random.between(1, 99), no_price: 50 }
  const size: JsonObject = random.chance(0.8)
    ? { count_fp: random.pick(SIZES) }
    : { count: random.between(1, 5_000_000) }
  const side: JsonObject = random.pick([
    ...[{ taker_side: 'yes' }, { taker_side: 'no', taker_book_side: 'ask' }, { taker_side: null }, {}],
    ...[{ taker_side: null, taker_outcome_side: 'yes' }, { taker_book_side: 'bid' }],
  ])
  const all = { ...(random.chance(0.95) ? price : {}), ...(random.chance(0.95) ? size : {}), ...side }
  return { ...message, msg: { ...msg, ...all } }
}

/** Returns a random trade. Some trades name no book. */
function polymarketTrade(message: JsonObject, random: Random): JsonObject {
  const { asset_id: _, ...bookless } = message
  return random.chance(0.2) ? bookless : message
}

function polymarketTaker(random: Random): JsonObject {
  const side: JsonObject = random.chance(0.8) ? { side: random.pick(['BUY', 'SELL']) } : {}
  return { ...side, ...(random.chance(0.6) ? { transaction_hash: `0x${random.hex(16)}` } : {}) }
}

/** Adds the right hash, a wrong hash, or none. */
function hashedBook(message: JsonObject, random: Random): JsonObject {
  const known: JsonObject = random.chance(0.5) ? { tick_size: '0.01' } : {}
  const lastTrade: JsonObject = random.chance(0.5) ? { last_trade_price: '0.480' } : {}
  const kind = random.fraction()
  const hash: JsonObject = kind < 0.5 ? { hash: hashOf(message) } : kind < 0.8 ? { hash: random.hex(40) } : {}
  return { ...message, ...known, ...lastTrade, ...hash }
}

/** Returns the hash of a book by Polymarket's oldest recipe: the hashed text has nothing after the levels. */
function hashOf({ market, asset_id, timestamp, bids, asks }: JsonObject): string {
  const levels = (side: unknown) => {
    const sizes = new Map<bigint, bigint>()
    for (const { price, size } of side as { price: string; size: string }[]) sizes.set(amount(price)!, amount(size)!)
    return [...sizes]
      .filter(([, size]) => size > 0n)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([price, size]) => ({ price: toText(price), size: toText(size) }))
  }
  const book = { market, asset_id, timestamp, hash: '', bids: levels(bids), asks: levels(asks).reverse() }
  return createHash('sha1').update(JSON.stringify(book)).digest('hex')
}
