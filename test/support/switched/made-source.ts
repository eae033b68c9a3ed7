// Makes random records of one source for a market on a date: messages of its books in order of time, each as a line of
// a capture and as plain values.

import type { Venue } from '../../../storage/venue.ts'
import { Random } from '../../../workers/synthetic/random.ts'

export const DATE = '2026-08-10'
export const START_MS = Date.parse(`${DATE}T10:00:00Z`)
export const END_MS = START_MS + 240_000
export const MARKETS = { polymarket: `0x${'ab'.repeat(32)}`, kalshi: 'KXSWITCH-1' } as const

/** Size by price: whole contracts by cents. */
export type Levels = Map<number, number>
type At = { ms: number; book: string | null }
export type Entry =
  | (At & { kind: 'snapshot'; bids: Levels; asks: Levels })
  | (At & { kind: 'delta'; isAsk: boolean; price: number; change: number; size: number; isSigned: boolean })
  | (At & { kind: 'trade'; price: number; size: number })
  | (At & { kind: 'gap' })

/** `restarts` holds the first record of each new connection. */
export type MadeSource = { entries: Entry[]; lines: string[]; restarts: ReadonlySet<Entry> }

type Made = { bids: Levels; asks: Levels; hasBegun: boolean }

export class SourceMaker {
  readonly #venue: Venue
  readonly #random: Random
  readonly #books: readonly string[]
  readonly #made = new Map<string, Made>()
  readonly #restarts = new Set<Entry>()
  #seq = 0

  /** `books` are the books that the source receives. */
  constructor(venue: Venue, books: readonly string[], seed: string) {
    this.#venue = venue
    this.#books = books
    this.#random = new Random(1, seed)
  }

  make(count: number, stepsMs: readonly number[]): MadeSource {
    const random = this.#random
    const entries: Entry[] = []
    let ms = START_MS + random.below(5_000)
    for (const book of this.#books) this.#made.set(book, { ...this.#randomLevels(), hasBegun: random.chance(0.3) })
    for (let i = 0; i < count && ms < END_MS; i++) {
      ms += random.pick(stepsMs)
      entries.push(this.#next(ms))
    }
    return { entries, lines: entries.map((each) => this.#line(each)), restarts: this.#restarts }
  }

  #next(ms: number): Entry {
    const random = this.#random
    const book = random.pick(this.#books)
    const made = this.#made.get(book)!
    const chance = random.fraction()
    if (!made.hasBegun || chance < 0.04) {
      made.hasBegun = true
      // Some snapshots follow a loss: their levels are new.
      if (random.chance(0.3) || made.bids.size + made.asks.size === 0) Object.assign(made, this.#randomLevels())
      return { kind: 'snapshot', ms, book, bids: new Map(made.bids), asks: new Map(made.asks) }
    }
    if (chance < 0.055) {
      const isOfAll = this.#venue === 'polymarket' && random.chance(0.3)
      return { kind: 'gap', ms, book: isOfAll ? null : book }
    }
    if (chance < 0.12) return { kind: 'trade', ms, book, price: random.between(1, 99), size: random.between(1, 50) }
    const isAsk = random.chance(0.5)
    const levels = isAsk ? made.asks : made.bids
    // Bids stay below half a dollar and asks above it, because a crossed book adds records of its own.
    const price = isAsk ? random.between(51, 70) : random.between(30, 49)
    const before = levels.get(price) ?? 0
    const size = random.chance(0.3) ? 0 : random.between(1, 400)
    if (size === 0) levels.delete(price)
    else levels.set(price, size)
    return { kind: 'delta', ms, book, isAsk, price, change: size - before, size, isSigned: this.#venue === 'kalshi' }
  }

  #randomLevels(): { bids: Levels; asks: Levels } {
    const random = this.#random
    const side = (from: number) =>
      new Map(
        Array.from({ length: 1 + random.below(4) }, () => [from + random.below(20), random.between(1, 400)] as const),
      )
    return { bids: side(30), asks: side(51) }
  }

  #line(entry: Entry): string {
    const { ms, book, kind } = entry
    const market = MARKETS[this.#venue]
    if (kind === 'gap') {
      const msg = { reason: 'reconnect', from: ms, to: ms }
      const named = this.#venue === 'polymarket' && book !== null ? { asset_id: book } : {}
      return JSON.stringify({ type: 'gap', venue: this.#venue, market, ...named, recv_ms: ms, msg })
    }
    const message = this.#venue === 'kalshi' ? this.#kalshi(entry) : polymarketMessage(entry)
    return JSON.stringify({ recv_ms: ms, event: message })
  }

  #kalshi(entry: Entry): object {
    // Sometimes a new connection starts.
    const isAnew = this.#seq > 1 && this.#random.chance(0.02)
    if (isAnew) this.#restarts.add(entry)
    this.#seq = isAnew ? 1 : this.#seq + 1
    const { ms, kind } = entry
    const about = (type: string, msg: object) => ({ type, sid: 1, seq: this.#seq, msg })
    const at = { market_ticker: MARKETS.kalshi }
    if (kind === 'snapshot') {
      const yes = [...entry.bids].map(([price, size]) => [dollars(price), `${size}.00`])
      const no = [...entry.asks].map(([price, size]) => [dollars(100 - price), `${size}.00`])
      return about('orderbook_snapshot', { ...at, yes_dollars_fp: yes, no_dollars_fp: no })
    }
    if (kind === 'trade') {
      const trade = {
        trade_id: `${ms}-${this.#seq}`,
        yes_price_dollars: dollars(entry.price),
        count_fp: `${entry.size}.00`,
      }
      return about('trade', { ...at, ...trade, taker_side: 'yes', ts_ms: ms })
    }
    if (kind !== 'delta') throw new Error(`no message says ${kind}`)
    const price = entry.isAsk ? 100 - entry.price : entry.price
    const change = { price_dollars: dollars(price), delta_fp: `${entry.change}.00`, side: entry.isAsk ? 'no' : 'yes' }
    return about('orderbook_delta', { ...at, ...change, ts_ms: ms })
  }
}

function polymarketMessage(entry: Entry): object {
  const { ms, book, kind } = entry
  const about = { market: MARKETS.polymarket, timestamp: String(ms) }
  const printed = (levels: Levels) => [...levels].map(([price, size]) => ({ price: cents(price), size: String(size) }))
  if (kind === 'snapshot')
    return { event_type: 'book', ...about, asset_id: book, bids: printed(entry.bids), asks: printed(entry.asks) }
  if (kind === 'trade') {
    const trade = { price: cents(entry.price), size: String(entry.size), side: 'BUY' }
    return { event_type: 'last_trade_price', ...about, asset_id: book, ...trade }
  }
  if (kind !== 'delta') throw new Error(`no message says ${kind}`)
  const change = { price: cents(entry.price), size: String(entry.size), side: entry.isAsk ? 'SELL' : 'BUY' }
  return { event_type: 'price_change', ...about, price_changes: [{ asset_id: book, ...change }] }
}

const cents = (price: number): string => (price / 100).toFixed(2)
const dollars = (price: number): string => (price / 100).toFixed(4)
