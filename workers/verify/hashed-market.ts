// The books of one Polymarket condition as text, for hashing: levels as the venue prints them. They share nothing with
// the books of the replay, so that one checks the other.

import type { RecordKind } from '../../storage/format/shape.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { type HashedMessage, hashedMessage, type PrintedBook, printedText } from '../venues/polymarket/book-hash.ts'
import { type Doubt, type HashedBook, HashTrials, newHashedBook } from '../venues/polymarket/hash-trials.ts'

export type HashedRecord = { type: RecordKind; timestamp: number; asset_id: string | null; msg: Message }
export type Disagreement = PartitionKey & { timestamp: number; assetId: string; hash: string }

type Message = Record<string, unknown>
type TextBook = { bids: Map<string, string>; asks: Map<string, string> }
type Check = { place: PartitionKey & { timestamp: number }; message: HashedMessage; text: string }

export class HashedMarket {
  readonly id: string
  #notCheckable = 0
  readonly #disagreements = new Set<Disagreement>()
  readonly #doubted = new WeakMap<Doubt, Disagreement>()
  readonly #books = new Map<string, TextBook>()
  readonly #hashed = new Map<string, HashedBook>()
  #trials = new HashTrials()
  #date = ''
  #last: Check | undefined

  constructor(id: string) {
    this.id = id
  }

  add(key: PartitionKey, record: HashedRecord): void {
    const { type, timestamp, asset_id: assetId, msg } = record
    if (key.date !== this.#date) this.#trials = new HashTrials({ ...this.#trials.state, trials: 0 })
    this.#date = key.date
    const isChange = assetId !== null && (type === 'snapshot' || type === 'delta')
    const message = isChange ? hashedMessage(assetId, (name) => textIn(msg, name)) : null
    this.#settleUnless(message)
    if (type === 'gap') this.#lose(assetId)
    if (isChange) this.#apply(assetId, type, msg)
    this.#learn(record)
    if (message === null) return
    const book = this.#books.get(message.assetId)
    if (book === undefined) this.#notCheckable++
    else this.#last = { place: { ...key, timestamp }, message, text: printedText({ ...message, ...printed(book) }) }
  }

  finish(): { agree: number; notCheckable: number; disagreements: Disagreement[] } {
    this.#settleLast()
    const agree = this.#hashed.values().reduce((sum, { hashesAgreed }) => sum + hashesAgreed, 0)
    return { agree, notCheckable: this.#notCheckable, disagreements: [...this.#disagreements] }
  }

  #apply(assetId: string, type: RecordKind, msg: Message): void {
    if (type === 'snapshot') this.#books.set(assetId, { bids: toLevels(msg['bids']), asks: toLevels(msg['asks']) })
    const book = this.#books.get(assetId)
    if (type === 'delta' && book !== undefined) for (const entry of entriesOf(msg)) applyEntry(book, entry)
  }

  /** A batch can come in several messages of one time and hash: only the book after the last of them must have it. */
  #settleUnless(message: HashedMessage | null): void {
    const last = this.#last
    if (last === undefined) return
    const { assetId, timestamp, hash } = last.message
    const isOneBatch = message?.assetId === assetId && message.timestamp === timestamp && message.hash === hash
    if (!isOneBatch || this.#trials.agrees(this.#bookOf(assetId), last.text, hash)) return this.#settleLast()
    this.#notCheckable++
    this.#last = undefined
  }

  #settleLast(): void {
    const check = this.#last
    this.#last = undefined
    if (check === undefined) return
    const { place, message, text } = check
    const { assetId, hash } = message
    const found = this.#trials.check(this.#bookOf(assetId), () => text, hash, place.timestamp)
    if (found === 'unknown') this.#notCheckable++
    if (typeof found === 'string') return
    const disagreement = { ...place, assetId, hash }
    this.#disagreements.add(disagreement)
    this.#doubted.set(found, disagreement)
  }

  #learn({ type, timestamp, asset_id: assetId, msg }: HashedRecord): void {
    const book = assetId === null ? undefined : this.#bookOf(assetId)
    const agreed = this.#trials.learn(type, (name) => textIn(msg, name), book, timestamp, this.#hashed.values())
    for (const doubt of agreed) this.#disagreements.delete(this.#doubted.get(doubt)!)
  }

  #bookOf(assetId: string): HashedBook {
    const known = this.#hashed.get(assetId) ?? newHashedBook()
    this.#hashed.set(assetId, known)
    return known
  }

  #lose(assetId: string | null): void {
    if (assetId === null) this.#books.clear()
    else this.#books.delete(assetId)
  }
}

const entriesOf = (msg: Message) => (msg['price_changes'] ?? msg['changes'] ?? [msg]) as Message[]

/** Of the last change, else of the message. */
function textIn(msg: Message, key: string): string | undefined {
  return [entriesOf(msg).at(-1)?.[key], msg[key]].find((text) => typeof text === 'string')
}

function toLevels(levels: unknown): Map<string, string> {
  return new Map(((levels ?? []) as { price: string; size: string }[]).map(({ price, size }) => [price, size]))
}

/** The best level of both sides is the last. */
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
