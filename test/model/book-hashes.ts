// Compares the books of one market with the hashes that Polymarket sent, date by date (docs/books.md). Counts the
// hashes that agree, and marks the quotes that establish a book or make it doubtful.

import { createHash } from 'node:crypto'
import { applyRecord, type Book, unseenBook } from './book.ts'
import type { TimedRecord } from './event-time.ts'
import { ONE } from './exact.ts'
import type { JsonObject } from './json.ts'
import { changesOf } from './polymarket-message.ts'

export type HashCounts = { hashesAgreed: number; hashesChecked: number }

/** The text that a hash covers in addition to the book; '' in the oldest recipe. */
type Recipe = '' | `"min_order_size":"${string}","tick_size":"TICK","neg_risk":${boolean}${'' | typeof LAST_TRADE}`
/** A hash that agrees with no recipe so far. `isEvidence`: no snapshot, gap or agreeing hash has come since. */
type Doubt = {
  timeMs: number
  text: string
  hash: string
  ticks: string[]
  isDecidable: boolean
  record: TimedRecord
  isEvidence: boolean
}
type Token = HashCounts & {
  book: Book
  quotes: number
  /** `last` is the last record of the open quote. `batch` has the prices of the quote's changes with the same hash as
   *  `last`. */
  last: TimedRecord | undefined
  batch: string[]
  hasSnapshot: boolean
  tick: string | undefined
  doubts: Doubt[]
}

/** Maximum number of quotes of observed books that are tried while no recipe is known. */
const OBSERVED_TRIALS = 64
const LAST_TRADE = ',"last_trade_price":"PRICE"'
const RECIPES: Recipe[] = ['5', '1', '15', '10', '20', '0'].flatMap((size) =>
  [true, false].flatMap((negRisk) =>
    ([LAST_TRADE, ''] as const).map(
      (lastTrade): Recipe => `"min_order_size":"${size}","tick_size":"TICK","neg_risk":${negRisk}${lastTrade}`,
    ),
  ),
)
const hasPrice = (recipe: Recipe) => recipe.endsWith(LAST_TRADE)
const TICKS = ['0.01', '0.001', '0.1', '0.0001']

/** Holds the books of one market over its dates; the caller passes the dates in order. */
export class HashedBooks {
  readonly #closing = new Map<string, Book>()
  /** True after a gap of the whole market on an earlier date. */
  #isLost = false

  /** Applies a date's records of all books, and sets their `hashOutcome`. Returns the counts of each book. */
  ofDate(records: TimedRecord[]): Map<string, HashCounts> {
    for (const record of records) delete record.hashOutcome
    const market = new HashedMarket((id) => {
      const book = this.#closing.get(id) ?? unseenBook()
      if (!this.#closing.has(id) && this.#isLost) book.trust = 'lost'
      return book
    })
    for (const record of records) market.add(record)
    const tokens = market.finish()
    for (const [id, { book }] of tokens) this.#closing.set(id, book)
    for (const gap of records.filter(({ type, book }) => type === 'gap' && book === null)) {
      this.#isLost = true
      for (const [id, book] of this.#closing) if (!tokens.has(id)) applyRecord(book, gap)
    }
    return tokens
  }
}

class HashedMarket {
  readonly #tokens = new Map<string, Token>()
  readonly #bookBefore: (id: string) => Book
  #recipe: Recipe | undefined
  #prices: string[] = []
  #trials = 0
  #observedTrials = 0
  /** True after a gap of the whole market. */
  #isLost = false
  #lastMs = 0

  constructor(bookBefore: (id: string) => Book) {
    this.#bookBefore = bookBefore
  }

  add(record: TimedRecord): void {
    if (record.book !== null || record.type === 'gap') this.#lastMs = record.timestamp
    if (record.type === 'gap' && record.book === null) {
      this.#isLost = true
      for (const token of this.#tokens.values()) this.#lose(token, record.timestamp)
    }
    const token = record.book === null ? undefined : this.#token(record.book)
    if (record.type === 'gap' && token !== undefined) this.#lose(token, record.timestamp)
    if ((record.type === 'snapshot' || record.type === 'delta') && token !== undefined) {
      const { last } = token
      const isSameTime = last !== undefined && record.quoteNs !== undefined && record.quoteNs === last.quoteNs
      if (!isSameTime || record.type === 'snapshot' || last.type === 'snapshot') this.#endQuote(token)
      if (record.type === 'snapshot') forget(token, record.timestamp)
      const isOneBatch = token.last !== undefined && isSameBatch(token.last, record)
      token.batch = [...(isOneBatch ? token.batch : []), ...pricesOf(record)]
      applyRecord(token.book, record)
      token.last = record
    }
    this.#learn(record, token)
  }

  finish(): Map<string, Token> {
    for (const token of this.#tokens.values()) {
      this.#endQuote(token)
      expire(token, this.#lastMs)
    }
    return this.#tokens
  }

  #token(id: string): Token {
    const known = this.#tokens.get(id)
    if (known !== undefined) return known
    const book = this.#bookBefore(id)
    const token: Token = {
      book,
      hashesAgreed: 0,
      hashesChecked: 0,
      quotes: 0,
      last: undefined,
      batch: [],
      hasSnapshot: false,
      tick: undefined,
      doubts: [],
    }
    if (this.#isLost) this.#lose(token, this.#lastMs)
    this.#tokens.set(id, token)
    return token
  }

  #lose(token: Token, timestamp: number): void {
    this.#endQuote(token)
    forget(token, timestamp)
    applyRecord(token.book, { type: 'gap' } as TimedRecord)
  }

  #learn({ type, msg, timestamp }: TimedRecord, token: Token | undefined): void {
    const tick = type === 'snapshot' ? msg['tick_size'] : type === 'tick_size' ? msg['new_tick_size'] : undefined
    if (token !== undefined && typeof tick === 'string') token.tick = tick
    if (token !== undefined && type === 'snapshot') token.hasSnapshot = true
    const price = type === 'snapshot' ? msg['last_trade_price'] : type === 'trade' ? msg['price'] : undefined
    if (typeof price !== 'string') return
    const hashed = asHashed(price)
    this.#addPrice(hashed)
    for (const each of this.#tokens.values()) {
      expire(each, timestamp)
      const settled = each.doubts.filter(({ text, hash, ticks }) =>
        ticks.some((tick) => withOther(hashed).some((one) => sha1(text, this.#recipe!, tick, one) === hash)),
      )
      each.hashesAgreed += settled.length
      each.hashesChecked += settled.length
      each.doubts = each.doubts.filter((doubt) => !settled.includes(doubt))
      for (const { record, timeMs } of settled.filter((doubt) => doubt.isEvidence)) {
        record.hashOutcome = 'agrees'
        for (const other of each.doubts) if (other.timeMs <= timeMs) other.isEvidence = false
      }
    }
  }

  #addPrice(price: string): void {
    this.#prices = [price, ...this.#prices.filter((other) => other !== price)].slice(0, 8)
  }

  #endQuote(token: Token): void {
    const { last } = token
    token.last = undefined
    if (last === undefined) return
    token.quotes++
    if (token.quotes > 16 && token.quotes % 64 !== 0) return
    const hash = hashOf(last)
    const [market, timestamp] = [last.msg['market'], last.msg['timestamp']]
    if (token.book.trust === 'lost' || hash === undefined) return
    if (typeof market !== 'string' || typeof timestamp !== 'string') return
    const head = `{"market":"${market}","asset_id":"${last.book}","timestamp":"${timestamp}","hash":""`
    const agreedBefore = token.hashesAgreed
    this.#check(token, `${head},${printedLevels(token.book)}`, hash, last)
    if (token.hashesAgreed === agreedBefore) return
    forget(token, last.timestamp)
    last.hashOutcome = 'agrees'
    token.book.trust = 'established'
  }

  #check(token: Token, text: string, hash: string, record: TimedRecord): void {
    const ticks = token.tick === undefined ? TICKS : [token.tick]
    const isObserved = token.book.trust === 'observed'
    if (this.#recipe === undefined) {
      if (this.#prices.length > 0 && this.#trials === 8) return
      if (isObserved && this.#observedTrials === OBSERVED_TRIALS) return
      for (const recipe of ['' as const, ...RECIPES]) this.#try(token, text, hash, recipe, ticks)
      if (this.#recipe !== undefined) return
      if (isObserved) this.#observedTrials++
      else if (this.#prices.length > 0) this.#trials++
      return
    }
    const agreedBefore = token.hashesAgreed
    this.#try(token, text, hash, this.#recipe, ticks)
    // Without a snapshot, the recorded levels need not be the whole book, so a mismatch proves nothing.
    if (token.hashesAgreed > agreedBefore || isObserved) return
    if (!hasPrice(this.#recipe)) {
      token.hashesChecked++
      record.hashOutcome = 'contradicts'
      return
    }
    const { timestamp: timeMs } = record
    expire(token, timeMs)
    const isDecidable = [...this.#tokens.values()].some((other) => other !== token && other.hasSnapshot)
    const doubt = { timeMs, text, hash, ticks, isDecidable, record, isEvidence: true }
    if (token.doubts.length < 4) token.doubts.push(doubt)
  }

  #try(token: Token, text: string, hash: string, recipe: Recipe, ticks: string[]): void {
    const batch = this.#recipe === undefined ? [] : [...new Set(token.batch.map(asHashed))].slice(0, 16)
    const isObservedTrial = this.#recipe === undefined && token.book.trust === 'observed'
    const known = this.#prices.slice(0, isObservedTrial ? 2 : 8)
    const prices = hasPrice(recipe) ? [...known, ...batch].flatMap(withOther) : ['']
    const extras = (recipe === '' ? [''] : ticks).flatMap((tick) => prices.map((price) => [tick, price]))
    const agreeing = extras.find(([tick, price]) => sha1(text, recipe, tick!, price!) === hash)
    if (agreeing === undefined) return
    token.hashesAgreed++
    token.hashesChecked++
    this.#recipe = recipe
    if (recipe !== '') token.tick ??= agreeing[0]
    if (hasPrice(recipe) && !this.#prices.includes(agreeing[1]!)) this.#addPrice(agreeing[1]!)
  }
}

/** Removes doubts that no trade explained within 1 s. Counts their hashes as disagreeing if trades of the other token
 *  were recorded, too. */
function expire(token: Token, nowMs: number): void {
  const over = token.doubts.filter(({ timeMs }) => nowMs - timeMs > 1_000)
  token.doubts = token.doubts.filter((doubt) => !over.includes(doubt))
  const disagreeing = over.filter(({ isDecidable }) => isDecidable)
  token.hashesChecked += disagreeing.length
  for (const { record, isEvidence } of disagreeing) if (isEvidence) record.hashOutcome = 'contradicts'
}

/** Runs at a snapshot, a gap or an agreeing hash: earlier doubts that are still open no longer count against the
 *  book. */
function forget(token: Token, nowMs: number): void {
  expire(token, nowMs)
  for (const doubt of token.doubts) doubt.isEvidence = false
}

const isSameBatch = (last: TimedRecord, record: TimedRecord): boolean =>
  last.type === 'delta' &&
  record.type === 'delta' &&
  last.msg['timestamp'] === record.msg['timestamp'] &&
  hashOf(last) === hashOf(record)

const pricesOf = ({ type, msg }: TimedRecord): string[] =>
  (type === 'delta' ? changesOf(msg) : []).map(({ price }) => price).filter((price) => typeof price === 'string')

const asHashed = (price: string): string => (price === '' || /\.\d\d\d/.test(price) ? price : Number(price).toFixed(3))

/** Returns the price and the price at the other token: a trade may be reported at either token. */
function withOther(price: string): string[] {
  const places = Math.max(3, price.split('.')[1]?.length ?? 0)
  return price === '' ? [price] : [price, (1 - Number(price)).toFixed(places)]
}

function sha1(text: string, recipe: Recipe, tick: string, price: string): string {
  const rest = recipe === '' ? '' : `,${recipe.replace('TICK', tick).replace('PRICE', price)}`
  return createHash('sha1').update(`${text}${rest}}`).digest('hex')
}

function hashOf({ type, msg }: TimedRecord): string | undefined {
  const entry: JsonObject = type === 'delta' ? (changesOf(msg).at(-1) ?? {}) : {}
  const hash = typeof entry['hash'] === 'string' ? entry['hash'] : msg['hash']
  return typeof hash === 'string' && /^[0-9a-f]{40}$/.test(hash) ? hash : undefined
}

/** Prints both sides with the best level last. */
function printedLevels({ bids, asks }: Book): string {
  const print = (levels: [bigint, bigint][]) =>
    levels.map(([price, size]) => `{"price":"${printed(price)}","size":"${printed(size)}"}`).join()
  const ascending = (side: Map<bigint, bigint>) => [...side].sort(([a], [b]) => (a < b ? -1 : 1))
  return `"bids":[${print(ascending(bids))}],"asks":[${print(ascending(asks).reverse())}]`
}

function printed(units: bigint): string {
  const fraction = String(units % ONE).padStart(18, '0')
  return `${units / ONE}.${fraction}`.replace(/\.?0+$/, '')
}
