// Counts how many books have the hash that the venue sent with them, while a partition is replayed (docs/books.md).
// Printing and hashing a book costs as much as applying dozens of records, so a sample is checked, which depends on the
// records alone. Its state between two blocks is plain and small, so that a later append goes on from it.

import type { HashCounts } from '../../storage/format/partition-head.ts'
import type { HashRecipe } from '../venues/polymarket/hash-recipe.ts'
import { HASH_RECIPES, type HashFacts, hashedTradePrice, withTradePrice } from '../venues/polymarket/hash-recipe.ts'
import type { BookColumns } from './book-columns.ts'
import { type HashedMessage, hashedText, hashVerdict } from './book-hash-check.ts'
import type { OrderBook } from './order-book.ts'

/** Texts of a block's messages by their keys; undefined where a message has none. */
export type MessageTexts = { text(record: number, key: string): string | undefined }

/** A hash that disagreed, and may agree once the next trade's price is known: the venue prints a trade a moment after
 *  the change of the book that already counts it. */
type Doubt = { timeMs: number; text: Uint8Array; hash: string; tickSize: string | null }

type Progress = HashCounts & { tickSize: string | null; doubts: Doubt[]; open: HashedMessage | null }

/** `recipe` is an index of HASH_RECIPES, -1 while it is not known. `open` is the last message of a quote that is still
 *  open, and to be checked. Books are by number - 1. */
export type HashState = { recipe: number; trials: number; tradePrices: string[]; books: Progress[] }

const CHECKED_FIRST = 16
const CHECKED_EVERY = 64
const TRIALS_MAX = 8
const DOUBT_MS = 1_000
const DOUBTS_MAX = 4
const HASH = /^[0-9a-f]{40}$/

/** Whether the quote of this number, from 1 on, of a book's day is checked. */
const isChecked = (quote: number): boolean => quote <= CHECKED_FIRST || quote % CHECKED_EVERY === 0

export class HashSink {
  #recipe: number
  #trials: number
  #tradePrices: string[]
  readonly #books: Progress[]
  #columns: BookColumns | undefined
  #texts: MessageTexts | undefined
  /** Records of the block that say what a hash takes beside the book. */
  #facts: number[] = []
  #nextFact = 0

  constructor({ recipe, trials, tradePrices, books }: HashState = NO_STATE) {
    this.#recipe = recipe
    this.#trials = trials
    this.#tradePrices = tradePrices
    this.#books = books.map((book) => ({ ...book }))
  }

  state(): HashState {
    const books = this.#books.map((book) => ({ ...book }))
    return { recipe: this.#recipe, trials: this.#trials, tradePrices: this.#tradePrices, books }
  }

  /** To be called before a block is replayed. */
  begin(columns: BookColumns, texts: MessageTexts): void {
    const { recordCount, operations, shapes, bookIds } = columns
    this.#columns = columns
    this.#texts = texts
    this.#nextFact = 0
    this.#facts = []
    while (this.#books.length < bookIds.length) this.#books.push(newProgress())
    const isFact = shapes.map(({ kind }) => kind === 'snapshot' || kind === 'trade' || kind === 'tick_size')
    if (!isFact.includes(true)) return
    for (let record = 0; record < recordCount; record++) {
      if (isFact[operations[record]! >>> 1]) this.#facts.push(record)
    }
  }

  /** As `QuoteSink.quote`; `quote` is its number among those of the book's day, from 1 on. */
  quote(book: OrderBook, number: number, record: number, quote: number): void {
    if (!isChecked(quote) || book.trust !== 'established') return
    const message = this.#messageBefore(number, record)
    if (message === null) return
    this.#learnUntil(record)
    this.#check(book, number, message)
  }

  /** To be called after the block was replayed: books by number, and by number - 1 which quote each has open. */
  end(orderBooks: (OrderBook | undefined)[], quotes: number[]): void {
    const { recordCount } = this.#columns!
    this.#learnUntil(recordCount)
    this.#books.forEach((progress, i) => {
      const { trust, openQuoteMs } = orderBooks[i + 1]!
      const isDue = trust === 'established' && openQuoteMs >= 0 && isChecked(quotes[i]!)
      progress.open = isDue ? this.#messageBefore(i + 1, recordCount) : null
    })
    this.#columns = undefined
    this.#texts = undefined
  }

  /** As if nothing followed; `orderBooks` are by number, counts by number - 1. */
  counts(orderBooks: (OrderBook | undefined)[], quotes: number[]): HashCounts[] {
    const ended = new HashSink(this.state())
    return ended.#books.map((progress, i) => {
      const book = orderBooks[i + 1]!
      if (book.openQuoteMs >= 0) ended.quote(book, i + 1, 0, quotes[i]!)
      const { hashesAgreed, hashesChecked } = progress
      return { hashesAgreed, hashesChecked }
    })
  }

  #check(book: OrderBook, number: number, message: HashedMessage): void {
    const progress = this.#books[number - 1]!
    const isTrial = this.#recipe < 0 && this.#tradePrices.length > 0
    if (isTrial && this.#trials === TRIALS_MAX) return
    const text = hashedText(book, message)
    const facts = this.#factsOf(progress.tickSize)
    const { verdict, extra } = hashVerdict(text, message.hash, facts)
    if (verdict === 'unknown') {
      if (isTrial) this.#trials++
      return
    }
    if (verdict === 'disagrees') return this.#doubt(progress, book.openQuoteMs, text, message.hash)
    progress.hashesChecked++
    progress.hashesAgreed++
    progress.tickSize ??= extra?.tickSize ?? null
    if (this.#recipe < 0) this.#recipe = HASH_RECIPES.findIndex((recipe) => isSame(recipe, extra))
  }

  /** Too many in a moment say more of a price that is not known than of the book: they are not checked. */
  #doubt(progress: Progress, timeMs: number, text: Uint8Array, hash: string): void {
    // The older recipe takes no price.
    if (HASH_RECIPES[this.#recipe] !== null) {
      progress.doubts = progress.doubts.filter((doubt) => timeMs - doubt.timeMs <= DOUBT_MS)
      if (progress.doubts.length === DOUBTS_MAX) return
      progress.doubts.push({ timeMs, text, hash, tickSize: progress.tickSize })
    }
    progress.hashesChecked++
  }

  #factsOf(tickSize: string | null): HashFacts {
    const recipe = this.#recipe < 0 ? undefined : HASH_RECIPES[this.#recipe]!
    return { recipe, tickSize: tickSize ?? undefined, tradePrices: this.#tradePrices }
  }

  /** The last message of a book before a record, null where it has no hash. */
  #messageBefore(number: number, record: number): HashedMessage | null {
    const columns = this.#columns
    if (columns !== undefined) {
      const { books, operations, shapes } = columns
      for (let before = record - 1; before >= 0; before--) {
        if (books[before] !== number) continue
        const { kind } = shapes[operations[before]! >>> 1]!
        if (kind === 'snapshot' || kind === 'delta') return this.#messageAt(before)
      }
    }
    return this.#books[number - 1]!.open
  }

  #messageAt(record: number): HashedMessage | null {
    const texts = this.#texts!
    const hash = texts.text(record, 'hash')
    if (hash === undefined || !HASH.test(hash)) return null
    const market = texts.text(record, 'market')
    const timestamp = texts.text(record, 'timestamp')
    if (market === undefined || timestamp === undefined) return null
    const { books, bookIds } = this.#columns!
    return { market, assetId: bookIds[books[record]! - 1]!, timestamp, hash }
  }

  #learnUntil(record: number): void {
    for (; this.#nextFact < this.#facts.length; this.#nextFact++) {
      const fact = this.#facts[this.#nextFact]!
      if (fact >= record) return
      this.#learn(fact)
    }
  }

  #learn(record: number): void {
    const { books, timesMs, operations, shapes } = this.#columns!
    const texts = this.#texts!
    const { kind } = shapes[operations[record]! >>> 1]!
    const book = this.#books[books[record]! - 1]
    const tickSize = kind === 'trade' ? undefined : texts.text(record, TICK_SIZE_KEYS[kind]!)
    if (book !== undefined && tickSize !== undefined) book.tickSize = tickSize
    const price = kind === 'tick_size' ? undefined : texts.text(record, PRICE_KEYS[kind]!)
    if (price !== undefined) this.#addTradePrice(hashedTradePrice(price), timesMs[record]!)
  }

  #addTradePrice(price: string, timeMs: number): void {
    const isNew = !this.#tradePrices.includes(price)
    this.#tradePrices = withTradePrice(this.#tradePrices, price)
    if (!isNew) return
    for (const progress of this.#books) {
      if (progress.doubts.length === 0) continue
      const recent = progress.doubts.filter((doubt) => timeMs - doubt.timeMs <= DOUBT_MS)
      progress.doubts = recent.filter(({ text, hash, tickSize }) => {
        const facts = { ...this.#factsOf(tickSize), tradePrices: [price] }
        return hashVerdict(text, hash, facts).verdict !== 'agrees'
      })
      progress.hashesAgreed += recent.length - progress.doubts.length
    }
  }
}

const TICK_SIZE_KEYS: Partial<Record<string, string>> = { snapshot: 'tick_size', tick_size: 'new_tick_size' }
const PRICE_KEYS: Partial<Record<string, string>> = { snapshot: 'last_trade_price', trade: 'price' }

const NO_STATE: HashState = { recipe: -1, trials: 0, tradePrices: [], books: [] }

/** Of a book without records. */
export const NO_HASHES: Readonly<HashCounts> = { hashesAgreed: 0, hashesChecked: 0 }

const newProgress = (): Progress => ({ ...NO_HASHES, tickSize: null, doubts: [], open: null })

const isSame = (recipe: HashRecipe, extra: { minOrderSize: string; negRisk: boolean } | undefined): boolean =>
  extra?.minOrderSize === recipe?.minOrderSize && extra?.negRisk === recipe?.negRisk
