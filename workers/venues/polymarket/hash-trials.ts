// Compares the hashes of a market's books with those books, while its records say one after the other what a hash takes
// beside the book (docs/books.md). Pure.

import type { RecordKind } from '../../../storage/format/shape.ts'
import { agreeingExtra, type BookHashExtra, type TextOf } from './book-hash.ts'
import {
  HASH_RECIPES,
  type HashRecipe,
  hashExtras,
  TRADE_LATE_MS,
  TRADE_PRICES_MAX,
  tradePriceIn,
} from './hash-recipe.ts'

/** A hash that disagreed, and may agree once the next trade's price is known. `text` is the hashed text of the book. */
export type Doubt = { timeMs: number; text: Text; hash: string; tickSize: string | null }

/** What is known of one book. */
export type HashedBook = { hashesAgreed: number; hashesChecked: number; tickSize: string | null; doubts: Doubt[] }

/** What is known of a market. `recipe` is an index of HASH_RECIPES, -1 while it is not known. Trade prices are as a
 *  hash has them, the newest first. */
export type TrialState = { recipe: number; trials: number; tradePrices: string[] }

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

  /** Counts the hash in `book`, unless it cannot be checked; returns the doubt where it disagrees. `textOf` prints the
   *  book, which costs much. */
  check(book: HashedBook, textOf: () => Text, hash: string, timeMs: number): 'agrees' | 'unknown' | Doubt {
    const isTrial = this.#recipe < 0 && this.#tradePrices.length > 0
    if (isTrial && this.#trials === TRIALS_MAX) return 'unknown'
    const text = textOf()
    const extras = this.#extras(book.tickSize, this.#tradePrices)
    const extra = agreeingExtra(text, hash, extras)
    if (extra === undefined) {
      if (this.#recipe >= 0 && extras.length > 0)
        return this.#doubt(book, { timeMs, text, hash, tickSize: book.tickSize })
      if (isTrial) this.#trials++
      return 'unknown'
    }
    book.hashesChecked++
    book.hashesAgreed++
    book.tickSize ??= extra?.tickSize ?? null
    if (this.#recipe < 0) this.#recipe = HASH_RECIPES.findIndex((recipe) => isSame(recipe, extra))
    return 'agrees'
  }

  /** Takes what a record says of tick size and trade price, and counts the doubts of `books` that agree with a new
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
    const price = tradePriceIn(kind, textOf)
    if (price === undefined) return []
    const prices = this.#tradePrices
    this.#tradePrices = [price, ...prices.filter((known) => known !== price)].slice(0, TRADE_PRICES_MAX)
    return prices.includes(price) ? [] : Array.from(books).flatMap((each) => this.#settle(each, price, timeMs))
  }

  #settle(book: HashedBook, price: string, timeMs: number): Doubt[] {
    if (book.doubts.length === 0) return []
    const recent = book.doubts.filter((doubt) => timeMs - doubt.timeMs <= TRADE_LATE_MS)
    const agreed = recent.filter(
      ({ text, hash, tickSize }) => agreeingExtra(text, hash, this.#extras(tickSize, [price])) !== undefined,
    )
    book.doubts = recent.filter((doubt) => !agreed.includes(doubt))
    book.hashesAgreed += agreed.length
    return agreed
  }

  /** Too many in a moment say more of a price that is not known than of the book: they are not checked. */
  #doubt(book: HashedBook, doubt: Doubt): 'unknown' | Doubt {
    if (HASH_RECIPES[this.#recipe]?.hasTradePrice === true) {
      book.doubts = book.doubts.filter(({ timeMs }) => doubt.timeMs - timeMs <= TRADE_LATE_MS)
      if (book.doubts.length === DOUBTS_MAX) return 'unknown'
      book.doubts.push(doubt)
    }
    book.hashesChecked++
    return doubt
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
