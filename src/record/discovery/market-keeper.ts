// The markets of a venue that discovery has found, and what the recorder was told of them.

import type { Venue } from '../../../storage/venue.ts'
import type { MarketSink, WantedMarket } from '../connection/wanted-market.ts'
import type { VenueFigures } from '../status/recorder-figures.ts'

/** A selected market, as the venue's REST tells it. Times are Unix ms. */
export type FoundMarket = {
  /** Condition id, or ticker. */
  market: string
  /** Tokens, or the ticker. */
  books: readonly string[]
  opensMs: number | null
  closesMs: number | null
  /** Resolved or settled: nothing more comes of it. */
  isOver: boolean
  /** Changes when something is said of it that the store should learn. */
  said: string
}

export type KnownMarket = Omit<FoundMarket, 'isOver'> & {
  /** When it was first seen to be over; null while it is not. */
  overMs: number | null
}

export type KeeperOptions = {
  venue: Venue
  sink: MarketSink
  figures: VenueFigures
  marketsMax: number
  /** How long a market is recorded after it is over. */
  keepMs: number
  /** How long before its opening a market is recorded; Infinity from when it is found. */
  aheadMs: number
  nowMs: () => number
}

export class MarketKeeper {
  readonly #options: KeeperOptions
  readonly #known = new Map<string, KnownMarket>()
  /** Known, and not yet taken by the recorder: too early, or a limit is reached. */
  readonly #waiting = new Set<string>()
  /** Found while there was no room for more. */
  #surplus = new Set<string>()
  /** Grows with each change of what is known. */
  revision = 0

  constructor(options: KeeperOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#known.size
  }

  get(market: string): KnownMarket | undefined {
    return this.#known.get(market)
  }

  all(): IterableIterator<KnownMarket> {
    return this.#known.values()
  }

  /** Takes what was known before a restart: all of it is wanted at once. */
  restore(markets: Iterable<KnownMarket>): void {
    for (const market of markets) {
      this.#known.set(market.market, market)
      this.#waiting.add(market.market)
    }
    this.sweep()
  }

  /** Takes markets as they are now. Returns whether anything of it is news to the store. */
  take(found: readonly FoundMarket[]): boolean {
    let isNews = false
    for (const { isOver, ...market } of found) {
      const known = this.#known.get(market.market)
      if (known === undefined && isOver) continue
      if (known === undefined && !this.#hasRoom(market)) continue
      const overMs = isOver ? (known?.overMs ?? this.#options.nowMs()) : null
      const changed = known?.said !== market.said
      if (changed || known?.overMs !== overMs) this.revision++
      isNews ||= changed
      this.#known.set(market.market, { ...market, overMs })
      if (known === undefined) this.#waiting.add(market.market)
    }
    this.#tellWaiting()
    return isNews
  }

  /** Gives up markets that have been over for long enough, and offers those that were not taken. */
  sweep(): void {
    const { venue, sink, keepMs, nowMs } = this.#options
    const books: string[] = []
    for (const market of this.#known.values()) {
      if (market.overMs === null || market.overMs + keepMs > nowMs()) continue
      this.#known.delete(market.market)
      if (!this.#waiting.delete(market.market)) books.push(...market.books)
      this.revision++
    }
    if (books.length > 0) sink.unwant(venue, books)
    this.#tellWaiting()
  }

  /** A whole scan is through: what it found and there was no room for was told anew. */
  beginScan(): void {
    this.#surplus = new Set()
  }

  #hasRoom({ market }: { market: string }): boolean {
    if (this.#known.size < this.#options.marketsMax) return true
    this.#surplus.add(market)
    return false
  }

  #tellWaiting(): void {
    const { venue, sink, figures, aheadMs, nowMs } = this.#options
    const early = new Set<string>()
    const wanted: WantedMarket[] = []
    for (const name of this.#waiting) {
      const { market, books, opensMs } = this.#known.get(name)!
      if (opensMs !== null && opensMs - aheadMs > nowMs()) early.add(name)
      else wanted.push({ venue, market, books })
    }
    if (wanted.length > 0) {
      const refused = new Set(sink.want(wanted).map(({ market }) => market))
      for (const { market } of wanted) if (!refused.has(market)) this.#waiting.delete(market!)
    }
    figures.marketsLeftOut = this.#waiting.size - early.size + this.#surplus.size
  }
}
