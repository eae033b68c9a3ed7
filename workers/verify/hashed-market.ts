// Rebuilds the books of one Polymarket condition as text, for hashing. Levels are in the venue's form. Shares no code
// with the books of the replay, so that each checks the other.

import type { RecordKind } from '../../storage/format/shape.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import {
  areOneBatch,
  type HashedMessage,
  hashedMessage,
  type PrintedBook,
  printedText,
} from '../venues/polymarket/book-hash.ts'
import { TRADE_LATE_MS } from '../venues/polymarket/hash-recipe.ts'
import { type Doubt, type HashedBook, HashTrials, newHashedBook } from '../venues/polymarket/hash-trials.ts'

export type HashedRecord = { type: RecordKind; timestamp: number; asset_id: string | null; msg: Message }
export type Disagreement = PartitionKey & { timestamp: number; assetId: string; hash: string }

type Message = Record<string, unknown>
type TextBook = { bids: Map<string, string>; asks: Map<string, string> }
type Place = PartitionKey & { timestamp: number }
/** A hash to check. `batchPrices` are the prices of the levels that changed in the same batch. */
type Check = { place: Place; message: HashedMessage; text: string; batchPrices: string[] }

export class HashedMarket {
  readonly id: string
  #notCheckable = 0
  readonly #disagreements: Disagreement[] = []
  readonly #doubts = new Map<Doubt, Disagreement>()
  readonly #books = new Map<string, TextBook>()
  readonly #hashed = new Map<string, HashedBook>()
  #trials = new HashTrials()
  #date = ''
  /** The last hash of each token. */
  readonly #last = new Map<string, Check>()
  #lastMs = 0

  constructor(id: string) {
    this.id = id
  }

  add(key: PartitionKey, record: HashedRecord): void {
    const { type, timestamp, asset_id: assetId, msg } = record
    if (key.date !== this.#date) this.#trials = new HashTrials({ ...this.#trials.state, trials: 0 })
    this.#date = key.date
    const isChange = assetId !== null && (type === 'snapshot' || type === 'delta')
    const message = isChange ? hashedMessage(assetId, (name) => textIn(msg, name)) : null
    this.#lastMs = timestamp
    this.#expire(timestamp)
    const batchPrices = isChange ? this.#checkBefore(assetId, message) : []
    if (type === 'gap') this.#lose(assetId)
    if (isChange) this.#apply(assetId, type, msg)
    this.#learn(record)
    if (message === null) return
    if (type === 'delta') batchPrices.push(...pricesIn(msg))
    const book = this.#books.get(message.assetId)
    if (book === undefined) this.#notCheckable++
    else {
      const text = printedText({ ...message, ...printed(book) })
      this.#last.set(message.assetId, { place: { ...key, timestamp }, message, text, batchPrices })
    }
  }

  /** Starts anew when the date switches to another source, because nothing is known of the new source's books before
   *  their snapshots. */
  beginAnew(): void {
    this.#lose(null)
    this.#trials = new HashTrials()
    for (const book of this.#hashed.values()) book.tickSize = null
  }

  finish(): { agree: number; notCheckable: number; disagreements: Disagreement[] } {
    for (const check of this.#last.values()) this.#check(check)
    this.#expire(this.#lastMs)
    const agree = this.#hashed.values().reduce((sum, { hashesAgreed }) => sum + hashesAgreed, 0)
    const notCheckable = this.#notCheckable + this.#doubts.size
    return { agree, notCheckable, disagreements: this.#disagreements }
  }

  #apply(assetId: string, type: RecordKind, msg: Message): void {
    if (type === 'snapshot') this.#books.set(assetId, { bids: toLevels(msg['bids']), asks: toLevels(msg['asks']) })
    const book = this.#books.get(assetId)
    if (type === 'delta' && book !== undefined) for (const entry of entriesOf(msg)) applyEntry(book, entry)
  }

  /** Checks the token's last hash before `message` is applied. The venue may send a batch as several messages with the
   *  same time and hash. Then only the book after the last of these messages must agree. If `message` continues a
   *  batch, returns the prices of that batch, otherwise an empty list. */
  #checkBefore(assetId: string, message: HashedMessage | null): string[] {
    const last = this.#last.get(assetId)
    this.#last.delete(assetId)
    if (last === undefined) return []
    const isOneBatch = areOneBatch(message, last.message)
    if (isOneBatch && !this.#trials.agrees(this.#bookOf(assetId), last.text, last.message.hash)) this.#notCheckable++
    else this.#check(last)
    return isOneBatch ? last.batchPrices : []
  }

  #check({ place, message, text, batchPrices }: Check): void {
    const { assetId, hash } = message
    const hashed = { hash, timeMs: place.timestamp, textOf: () => text, batchPrices: () => batchPrices }
    const found = this.#trials.check(this.#bookOf(assetId), hashed, this.#hashed.values())
    const disagreement = { ...place, assetId, hash }
    if (found === 'unknown') this.#notCheckable++
    else if (found === 'disagrees') this.#disagreements.push(disagreement)
    else if (found !== 'agrees') this.#doubts.set(found, disagreement)
  }

  #expire(nowMs: number): void {
    for (const [doubt, disagreement] of this.#doubts) {
      if (nowMs - doubt.timeMs <= TRADE_LATE_MS) continue
      this.#doubts.delete(doubt)
      if (doubt.isDecidable === true) this.#disagreements.push(disagreement)
      else this.#notCheckable++
    }
  }

  #learn({ type, timestamp, asset_id: assetId, msg }: HashedRecord): void {
    const book = assetId === null ? undefined : this.#bookOf(assetId)
    const agreed = this.#trials.learn(type, (name) => textIn(msg, name), book, timestamp, this.#hashed.values())
    for (const doubt of agreed) this.#doubts.delete(doubt)
  }

  #bookOf(assetId: string): HashedBook {
    const known = this.#hashed.get(assetId) ?? newHashedBook()
    this.#hashed.set(assetId, known)
    return known
  }

  #lose(assetId: string | null): void {
    for (const id of assetId === null ? [...this.#last.keys()] : [assetId]) this.#checkBefore(id, null)
    if (assetId === null) this.#books.clear()
    else this.#books.delete(assetId)
  }
}

const entriesOf = (msg: Message) => (msg['price_changes'] ?? msg['changes'] ?? [msg]) as Message[]

const pricesIn = (msg: Message): string[] =>
  entriesOf(msg)
    .map(({ price }) => price)
    .filter((price) => typeof price === 'string')

/** Returns the text under a key of the last change. If the change has none, returns the text under that key of the
 *  message; undefined if neither has one. */
function textIn(msg: Message, key: string): string | undefined {
  return [entriesOf(msg).at(-1)?.[key], msg[key]].find((text) => typeof text === 'string')
}

function toLevels(levels: unknown): Map<string, string> {
  return new Map(((levels ?? []) as { price: string; size: string }[]).map(({ price, size }) => [price, size]))
}

/** Returns the levels of both sides, the best last. */
const printed = ({ bids, asks }: TextBook): Pick<PrintedBook, 'bids' | 'asks'> => ({
  bids: [...bids].sort(([a], [b]) => Number(a) - Number(b)),
  asks: [...asks].sort(([a], [b]) => Number(b) - Number(a)),
})

function applyEntry(book: TextBook, entry: Message): void {
  const levels = entry['side'] === 'BUY' ? book.bids : book.asks
  const price = String(entry['price'])
  if (Number(entry['size']) === 0) levels.delete(price)
  else levels.set(price, String(entry['size']))
}
