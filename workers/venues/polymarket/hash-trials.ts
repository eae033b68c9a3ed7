// Compares the hashes of a market's books with those books, while its records say one after the other what a hash takes
// beside the book (docs/books.md). Pure.

import type { RecordKind } from '../../../storage/format/shape.ts'
import { agreeingExtra, type BookHashExtra, type TextOf } from './book-hash.ts'
import {
  batchTradePrices,
  HASH_RECIPES,
  type HashRecipe,
  hashExtras,
  TRADE_LATE_MS,
  TRADE_PRICES_MAX,
  tradePriceIn,
} from './hash-recipe.ts'

/** A hash that agrees with no known price, and may agree with the price of a trade that is reported within a second.
 *  `text` is the hashed text of the book. `isDecidable`: after that second it disagrees; otherwise it cannot be checked,
 *  since trades of the other token are not reported. */
export type Doubt = { timeMs: number; text: Text; hash: string; tickSize: string | null; isDecidable?: boolean }

/** What is known of one book. */
export type HashedBook = {
  hashesAgreed: number
  hashesChecked: number
  tickSize: string | null
  doubts: Doubt[]
  hasSnapshot?: boolean
}

/** What is known of a market. `recipe` is an index of HASH_RECIPES, -1 while it is not known. Trade prices are as a
 *  hash has them, the newest first. */
export type TrialState = { recipe: number; trials: number; tradePrices: string[] }

/** A hash, and the book that it is of: `textOf` prints it, which costs much. `batchPrices` gives the prices of the levels
 *  that changed with it. */
export type Hashed = { hash: string; timeMs: number; textOf: () => Text; batchPrices: () => readonly string[] }

type Text = string | Uint8Array

const TRIALS_MAX = 8
const DOUBTS_MAX = 4
const TICK_SIZE_KEYS: Partial<Record<RecordKind, string>> = { snapshot: 'tick_size', tick_size: 'new_tick_size' }

export const NO_TRIALS: TrialState = { recipe: -1, trials: 0, tradePrices: [] }

export const newHashedBook = (): HashedBook => ({ hashesAgreed: 0, hashesChecked: 0, tickSize: null, doubts: [] })

export class HashTrials {
  #recipe: number
  #trials: number
  #tradePrices: string[]

  constructor({ recipe, trials, tradePrices }: TrialState = NO_TRIALS) {
    this.#recipe = recipe
    this.#trials = trials
    this.#tradePrices = tradePrices
  }

  get state(): TrialState {
    return { recipe: this.#recipe, trials: this.#trials, tradePrices: this.#tradePrices }
  }

  /** Whether the hash agrees by what is known; counts nothing. */
  agrees({ tickSize }: HashedBook, text: Text, hash: string): boolean {
    return agreeingExtra(text, hash, this.#extras(tickSize, this.#tradePrices)) !== undefined
  }

  /** Counts the hash in `book`, unless it cannot be checked; returns the doubt where that is not known yet. `books` are
   *  those of the market. */
  check(book: HashedBook, hashed: Hashed, books: Iterable<HashedBook>): 'agrees' | 'disagrees' | 'unknown' | Doubt {
    const { hash, timeMs } = hashed
    const isTrial = this.#recipe < 0 && this.#tradePrices.length > 0
    if (isTrial && this.#trials === TRIALS_MAX) return 'unknown'
    const text = hashed.textOf()
    const extra = this.#agreeing(book, text, hashed)
    if (extra === undefined) {
      if (this.#recipe >= 0) return this.#doubt(book, { timeMs, text, hash, tickSize: book.tickSize }, books)
      if (isTrial) this.#trials++
      return 'unknown'
    }
    book.hashesChecked++
    book.hashesAgreed++
    book.tickSize ??= extra?.tickSize ?? null
    if (this.#recipe < 0) this.#recipe = HASH_RECIPES.findIndex((recipe) => isSame(recipe, extra))
    const price = extra?.lastTradePrice ?? null
    if (price !== null && !this.#tradePrices.includes(price)) this.#addPrice(price)
    return 'agrees'
  }

  /** Takes what a record says of tick size and trade price, and counts the doubts of `books` that agree with the
   *  price; returns these. `book` is that of the record. */
  learn(
    kind: RecordKind,
    textOf: TextOf,
    book: HashedBook | undefined,
    timeMs: number,
    books: Iterable<HashedBook>,
  ): Doubt[] {
    const key = TICK_SIZE_KEYS[kind]
    const tickSize = key === undefined ? undefined : textOf(key)
    if (book !== undefined && tickSize !== undefined) book.tickSize = tickSize
    if (book !== undefined && kind === 'snapshot') book.hasSnapshot = true
    const price = tradePriceIn(kind, textOf)
    if (price === undefined) return []
    this.#addPrice(price)
    return Array.from(books).flatMap((each) => this.#settle(each, price, timeMs))
  }

  /** Counts the doubts that are older than a second: no trade that is still to be reported can make them agree. */
  expire(book: HashedBook, nowMs: number): void {
    const isOver = ({ timeMs }: Doubt) => nowMs - timeMs > TRADE_LATE_MS
    book.hashesChecked += book.doubts.filter((doubt) => isOver(doubt) && doubt.isDecidable === true).length
    book.doubts = book.doubts.filter((doubt) => !isOver(doubt))
  }

  #agreeing({ tickSize }: HashedBook, text: Text, { hash, batchPrices }: Hashed): BookHashExtra | null | undefined {
    const extra = agreeingExtra(text, hash, this.#extras(tickSize, this.#tradePrices))
    // While the recipe is not known, these would cost too many trials.
    if (extra !== undefined || !this.#hasPrice) return extra
    return agreeingExtra(text, hash, this.#extras(tickSize, batchTradePrices(batchPrices())))
  }

  #addPrice(price: string): void {
    const others = this.#tradePrices.filter((known) => known !== price)
    this.#tradePrices = [price, ...others].slice(0, TRADE_PRICES_MAX)
  }

  #settle(book: HashedBook, price: string, nowMs: number): Doubt[] {
    this.expire(book, nowMs)
    const agreed = book.doubts.filter(
      ({ text, hash, tickSize }) => agreeingExtra(text, hash, this.#extras(tickSize, [price])) !== undefined,
    )
    book.doubts = book.doubts.filter((doubt) => !agreed.includes(doubt))
    book.hashesAgreed += agreed.length
    book.hashesChecked += agreed.length
    return agreed
  }

  /** Too many in a moment say more of a price that is not known than of the book: they are not checked. */
  #doubt(book: HashedBook, found: Doubt, books: Iterable<HashedBook>): 'disagrees' | 'unknown' | Doubt {
    if (!this.#hasPrice) {
      book.hashesChecked++
      return 'disagrees'
    }
    this.expire(book, found.timeMs)
    if (book.doubts.length === DOUBTS_MAX) return 'unknown'
    const isDecidable = Array.from(books).some((other) => other !== book && other.hasSnapshot === true)
    const doubt = { ...found, isDecidable }
    book.doubts.push(doubt)
    return doubt
  }

  /** Whether the recipe is known, and takes the price of a trade. */
  get #hasPrice(): boolean {
    return HASH_RECIPES[this.#recipe]?.hasTradePrice === true
  }

  #extras(tickSize: string | null, tradePrices: readonly string[]) {
    const recipe = this.#recipe < 0 ? undefined : HASH_RECIPES[this.#recipe]!
    return hashExtras({ recipe, tickSize: tickSize ?? undefined, tradePrices })
  }
}

/** Both are null for the oldest recipe. */
function isSame(recipe: HashRecipe, extra: BookHashExtra | null): boolean {
  if (recipe === null || extra === null) return recipe === extra
  const { minOrderSize, negRisk, hasTradePrice } = recipe
  return (
    extra.minOrderSize === minOrderSize &&
    extra.negRisk === negRisk &&
    (extra.lastTradePrice !== null) === hasTradePrice
  )
}
