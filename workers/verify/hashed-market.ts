// The books of one Polymarket condition as text, for hashing: levels as the venue prints them, and the recipe's other
// inputs as far as they are known.

import type { PartitionKey } from '../../storage/partition-key.ts'
import { type BookHashExtra, polymarketBookHash } from '../venues/polymarket/book-hash.ts'
import {
  HASH_RECIPES,
  type HashRecipe,
  hashExtras,
  hashedTradePrice,
  withTradePrice,
} from '../venues/polymarket/hash-recipe.ts'
import type { HashedRecord } from './verify-hashes.ts'

type Level = { price: string; size: string }
type TextBook = { bids: Map<string, string>; asks: Map<string, string> }
type Disagreement = PartitionKey & { timestamp: number; assetId: string; hash: string }
type Check = { key: PartitionKey; timestamp: number; assetId: string; hash: string; venueTime: string; book: TextBook }

export class HashedMarket {
  readonly id: string
  #agree = 0
  #notCheckable = 0
  readonly #disagreements: Disagreement[] = []
  readonly #books = new Map<string, TextBook>()
  readonly #tickSizes = new Map<string, string>()
  /** Of the condition, not of a token; the newest first. A trade's price is in the hash before its own message
   *  comes. */
  #tradePrices: string[] = []
  #recipe: HashRecipe | undefined
  #last: Check | undefined
  /** Hashes that may still agree once the next trade's price is known. */
  #waiting: Check[] = []

  constructor(id: string) {
    this.id = id
  }

  add(key: PartitionKey, record: HashedRecord): void {
    const { type, msg } = record
    if (type === 'snapshot') this.#addSnapshot(key, record)
    else if (type === 'delta') this.#addDelta(key, record)
    else if (type === 'trade' && typeof msg['price'] === 'string') this.#addTradePrice(msg['price'])
    else if (type === 'tick_size') this.#setTickSize(record.asset_id ?? '', String(msg['new_tick_size']))
    else if (type === 'gap') this.#lose(record.asset_id)
  }

  finish(): { agree: number; notCheckable: number; disagreements: Disagreement[] } {
    this.#settleLast()
    for (const check of this.#waiting) this.#disagreements.push(disagreementOf(check))
    this.#waiting = []
    return { agree: this.#agree, notCheckable: this.#notCheckable, disagreements: this.#disagreements }
  }

  #addSnapshot(key: PartitionKey, { timestamp, asset_id: assetId, msg }: HashedRecord): void {
    if (assetId === null) return
    const book = { bids: toLevels(msg['bids']), asks: toLevels(msg['asks']) }
    this.#settleUnless(assetId, msg['timestamp'], msg['hash'])
    this.#books.set(assetId, book)
    if (typeof msg['tick_size'] === 'string') this.#tickSizes.set(assetId, msg['tick_size'])
    if (typeof msg['last_trade_price'] === 'string') this.#addTradePrice(msg['last_trade_price'])
    if (typeof msg['hash'] !== 'string') return
    const venueTime = String(msg['timestamp'])
    const check = { key, timestamp, assetId, hash: msg['hash'], venueTime, book: copyOf(book) }
    this.#learnRecipe(check, msg)
    this.#last = check
  }

  #addDelta(key: PartitionKey, { timestamp, asset_id: assetId, msg }: HashedRecord): void {
    if (assetId === null) return
    const entries = (msg['price_changes'] ?? msg['changes'] ?? [msg]) as Record<string, unknown>[]
    const hash = entries.at(-1)?.['hash'] ?? msg['hash']
    this.#settleUnless(assetId, msg['timestamp'], hash)
    const book = this.#books.get(assetId)
    if (book !== undefined) for (const entry of entries) applyEntry(book, entry)
    if (typeof hash !== 'string') return
    if (book === undefined || this.#recipe === undefined) this.#notCheckable++
    else this.#last = { key, timestamp, assetId, hash, venueTime: String(msg['timestamp']), book: copyOf(book) }
  }

  /** A batch can come in several messages of one time and hash: only the book after the last of them must have it. */
  #settleUnless(assetId: string, venueTime: unknown, hash: unknown): void {
    const last = this.#last
    const isOneBatch = last?.assetId === assetId && last.venueTime === String(venueTime) && last.hash === hash
    if (last === undefined || !isOneBatch || this.#agrees(last)) return this.#settleLast()
    this.#notCheckable++
    this.#last = undefined
  }

  #settleLast(): void {
    const check = this.#last
    this.#last = undefined
    if (check === undefined) return
    if (this.#recipe === undefined) this.#notCheckable++
    else if (this.#agrees(check)) this.#agree++
    else this.#waiting.push(check)
  }

  #agrees(check: Check, recipe = this.#recipe): boolean {
    if (recipe === undefined) return false
    const facts = { recipe, tickSize: this.#tickSizes.get(check.assetId), tradePrices: this.#tradePrices }
    return hashExtras(facts).some((extra) => hashOf(this.id, check, extra) === check.hash)
  }

  #learnRecipe(check: Check, msg: Record<string, unknown>): void {
    const stated = msg['min_order_size'] !== undefined && typeof msg['neg_risk'] === 'boolean'
    const recipes = stated
      ? [{ minOrderSize: String(msg['min_order_size']), negRisk: msg['neg_risk'] === true }]
      : HASH_RECIPES
    if (!stated && this.#agrees(check)) return
    const agreeing = recipes.find((recipe) => this.#agrees(check, recipe))
    if (agreeing !== undefined) this.#recipe = agreeing
  }

  #addTradePrice(price: string): void {
    this.#settleLast()
    this.#tradePrices = withTradePrice(this.#tradePrices, hashedTradePrice(price))
    const waiting = this.#waiting
    this.#waiting = []
    for (const check of waiting) {
      if (this.#agrees(check)) this.#agree++
      else this.#disagreements.push(disagreementOf(check))
    }
  }

  #setTickSize(assetId: string, tickSize: string): void {
    this.#settleLast()
    this.#tickSizes.set(assetId, tickSize)
  }

  #lose(assetId: string | null): void {
    this.#settleLast()
    if (assetId === null) this.#books.clear()
    else this.#books.delete(assetId)
  }
}

function hashOf(market: string, { assetId, venueTime, book }: Check, extra: BookHashExtra | undefined): string {
  const bids = [...book.bids].sort(([a], [b]) => Number(a) - Number(b))
  const asks = [...book.asks].sort(([a], [b]) => Number(b) - Number(a))
  return polymarketBookHash({ market, assetId, timestamp: venueTime, bids, asks }, extra)
}

function toLevels(levels: unknown): Map<string, string> {
  return new Map(((levels ?? []) as Level[]).map(({ price, size }) => [price, size]))
}

const copyOf = ({ bids, asks }: TextBook): TextBook => ({ bids: new Map(bids), asks: new Map(asks) })

function applyEntry(book: TextBook, entry: Record<string, unknown>): void {
  const levels = entry['side'] === 'BUY' ? book.bids : book.asks
  const price = String(entry['price'])
  if (Number(entry['size']) === 0) levels.delete(price)
  else levels.set(price, String(entry['size']))
}

const disagreementOf = ({ key, timestamp, assetId, hash }: Check): Disagreement => ({
  ...key,
  timestamp,
  assetId,
  hash,
})
