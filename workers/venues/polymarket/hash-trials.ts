// Checks whether the venue's hashes agree with the books of a market, and learns the other inputs of the hashes from
// the records (docs/books.md). Does no I/O.

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

/** A hash that agrees with no known trade price, but may agree with the price of a trade that is reported within a
 *  second. `text` is the hashed text of the book. `isDecidable`: whether the hash counts as disagreeing after that
 *  second. If false, the hash cannot be checked, because trades of the other token are not reported. `of` is the quote
 *  that the outcome applies to. It is absent if the outcome no longer describes the book. */
export type Doubt = {
  timeMs: number
  text: Text
  hash: string
  tickSize: string | null
  isDecidable?: boolean
  of?: HashedQuote
}

/** A quote whose hash is not decided yet. `book` is the number of its book. `quote` is the number of the quote in that
 *  book's day. `fromMs` is the time of the record before the quote. */
export type HashedQuote = { book: number; quote: number; fromMs: number }

/** State of one book. */
export type HashedBook = {
  hashesAgreed: number
  hashesChecked: number
  tickSize: string | null
  doubts: Doubt[]
  hasSnapshot?: boolean
}

/** State of a market. `recipe` is an index of HASH_RECIPES, -1 while unknown. `tradePrices` are in the form of the
 *  hashed text, newest first. `observedTrials` counts trials with quotes of observed books; absent if there are
 *  none. */
export type TrialState = { recipe: number; trials: number; tradePrices: string[]; observedTrials?: number }

/** A hash and its book. `textOf` returns the hashed text of the book, which is expensive. `batchPrices` returns the
 *  prices of the levels that changed in the same batch. `isObserved`: the book may never have been complete. `quoteOf`
 *  returns the quote for the outcome listener. */
export type Hashed = {
  hash: string
  timeMs: number
  textOf: () => Text
  batchPrices: () => readonly string[]
  isObserved?: boolean
  quoteOf?: () => HashedQuote
}

/** Receives the outcome of a quote whose hash was not decided at once. */
export type OutcomeListener = (quote: HashedQuote, timeMs: number, agrees: boolean) => void

type Text = string | Uint8Array

const TRIALS_MAX = 8
/** Limits while no recipe is known: how many quotes of observed books to try, and how many of the newest trade prices
 *  to try with each quote. A quote then needs some 240 hashes. */
const OBSERVED_TRIALS_MAX = 64
const OBSERVED_PRICES_MAX = 2
const DOUBTS_MAX = 4
const TICK_SIZE_KEYS: Partial<Record<RecordKind, string>> = { snapshot: 'tick_size', tick_size: 'new_tick_size' }

export const NO_TRIALS: TrialState = { recipe: -1, trials: 0, tradePrices: [] }

export const newHashedBook = (): HashedBook => ({ hashesAgreed: 0, hashesChecked: 0, tickSize: null, doubts: [] })

export class HashTrials {
  #recipe: number
  #trials: number
  #tradePrices: string[]
  #observedTrials: number
  readonly #listener: OutcomeListener

  constructor(
    { recipe, trials, tradePrices, observedTrials = 0 }: TrialState = NO_TRIALS,
    listener: OutcomeListener = () => {},
  ) {
    this.#recipe = recipe
    this.#trials = trials
    this.#tradePrices = tradePrices
    this.#observedTrials = observedTrials
    this.#listener = listener
  }

  get state(): TrialState {
    const observedTrials = this.#observedTrials
    const state = { recipe: this.#recipe, trials: this.#trials, tradePrices: this.#tradePrices }
    return observedTrials === 0 ? state : { ...state, observedTrials }
  }

  /** Returns whether the hash agrees with the known inputs; counts nothing. */
  agrees({ tickSize }: HashedBook, text: Text, hash: string): boolean {
    return agreeingExtra(text, hash, this.#extras(tickSize, this.#tradePrices)) !== undefined
  }

  /** Checks a hash. Counts it in `book` if it agrees or disagrees. Returns a doubt (an undecided hash) if the outcome
   *  is not known yet. `books` are the books of the market. */
  check(book: HashedBook, hashed: Hashed, books: Iterable<HashedBook>): 'agrees' | 'disagrees' | 'unknown' | Doubt {
    const { hash, timeMs, isObserved = false, quoteOf } = hashed
    const isTrial = this.#recipe < 0 && this.#tradePrices.length > 0
    if (isTrial && this.#trials === TRIALS_MAX) return 'unknown'
    const isObservedTrial = isObserved && this.#recipe < 0
    if (isObservedTrial && this.#observedTrials === OBSERVED_TRIALS_MAX) return 'unknown'
    const text = hashed.textOf()
    const extra = this.#agreeing(book, text, hashed)
    if (extra === undefined) {
      if (isObservedTrial) this.#observedTrials++
      if (isObserved) return 'unknown'
      const doubt = { timeMs, text, hash, tickSize: book.tickSize }
      if (this.#recipe >= 0) return this.#doubt(book, doubt, books, quoteOf)
      if (isTrial) this.#trials++
      return 'unknown'
    }
    book.hashesChecked++
    book.hashesAgreed++
    book.tickSize ??= extra?.tickSize ?? null
    if (this.#recipe < 0) this.#recipe = HASH_RECIPES.findIndex((recipe) => isSame(recipe, extra))
    this.forget(book, timeMs)
    const price = extra?.lastTradePrice ?? null
    if (price !== null && !this.#tradePrices.includes(price)) this.#addPrice(price)
    return 'agrees'
  }

  /** Learns tick size and trade price from a record. If the record has a trade price, counts and returns the doubts of
   *  `books` that agree with this price. `book` is the book of the record. */
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

  /** Drops the doubts of `book` that are older than a second, because no later trade can make their hashes agree.
   *  Counts the decidable doubts as checked. */
  expire(book: HashedBook, nowMs: number): void {
    if (book.doubts.length === 0) return
    const isOver = ({ timeMs }: Doubt) => nowMs - timeMs > TRADE_LATE_MS
    const disagreeing = book.doubts.filter((doubt) => isOver(doubt) && doubt.isDecidable === true)
    book.hashesChecked += disagreeing.length
    book.doubts = book.doubts.filter((doubt) => !isOver(doubt))
    for (const { of, timeMs } of disagreeing) if (of !== undefined) this.#listener(of, timeMs, false)
  }

  /** Detaches doubts from their quotes, after a snapshot, a gap or an agreeing hash. The outcomes of these doubts no
   *  longer describe the book, but still count. */
  forget(book: HashedBook, nowMs: number): void {
    this.expire(book, nowMs)
    forgetUntil(book, Number.POSITIVE_INFINITY)
  }

  #agreeing(
    { tickSize }: HashedBook,
    text: Text,
    { hash, batchPrices, isObserved }: Hashed,
  ): BookHashExtra | null | undefined {
    const isObservedTrial = isObserved === true && this.#recipe < 0
    const prices = isObservedTrial ? this.#tradePrices.slice(0, OBSERVED_PRICES_MAX) : this.#tradePrices
    const extra = agreeingExtra(text, hash, this.#extras(tickSize, prices))
    // Try batch prices only if the recipe is known. Otherwise they would need too many trials.
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
    for (const { of, timeMs } of agreed) {
      if (of === undefined) continue
      forgetUntil(book, timeMs)
      this.#listener(of, timeMs, true)
    }
    return agreed
  }

  /** Adds a doubt and returns it. If there are too many doubts at once, the likely reason is an unknown trade price,
   *  not a wrong book. So further hashes are not checked, and `unknown` is returned. Returns `disagrees` if the recipe
   *  has no trade price. */
  #doubt(
    book: HashedBook,
    found: Doubt,
    books: Iterable<HashedBook>,
    quoteOf: Hashed['quoteOf'],
  ): 'disagrees' | 'unknown' | Doubt {
    if (!this.#hasPrice) {
      book.hashesChecked++
      return 'disagrees'
    }
    this.expire(book, found.timeMs)
    if (book.doubts.length === DOUBTS_MAX) return 'unknown'
    const isDecidable = Array.from(books).some((other) => other !== book && other.hasSnapshot === true)
    const doubt = { ...found, isDecidable, ...(quoteOf && { of: quoteOf() }) }
    book.doubts.push(doubt)
    return doubt
  }

  /** Whether the recipe is known and contains a trade price. */
  get #hasPrice(): boolean {
    return HASH_RECIPES[this.#recipe]?.hasTradePrice === true
  }

  #extras(tickSize: string | null, tradePrices: readonly string[]) {
    const recipe = this.#recipe < 0 ? undefined : HASH_RECIPES[this.#recipe]!
    return hashExtras({ recipe, tickSize: tickSize ?? undefined, tradePrices })
  }
}

function forgetUntil(book: HashedBook, untilMs: number): void {
  if (book.doubts.length === 0) return
  book.doubts = book.doubts.map(({ of, ...doubt }) =>
    of === undefined || doubt.timeMs <= untilMs ? doubt : { ...doubt, of },
  )
}

/** Returns whether a recipe has these fields. Both are null for the oldest recipe. */
function isSame(recipe: HashRecipe, extra: BookHashExtra | null): boolean {
  if (recipe === null || extra === null) return recipe === extra
  const { minOrderSize, negRisk, hasTradePrice } = recipe
  return (
    extra.minOrderSize === minOrderSize &&
    extra.negRisk === negRisk &&
    (extra.lastTradePrice !== null) === hasTradePrice
  )
}
