// Holds the markets of a venue that discovery has found, and passes them to the recorder.

import type { Venue } from '../../../storage/venue.ts'
import type { MarketSink, WantedMarket } from '../connection/wanted-market.ts'
import type { VenueFigures } from '../status/recorder-figures.ts'

/** A selected market from the venue's REST. Times are Unix ms. */
export type FoundMarket = {
  /** Condition id, or ticker. */
  market: string
  /** Tokens, or the ticker. */
  books: readonly string[]
  opensMs: number | null
  closesMs: number | null
  /** Whether it is resolved or settled: the venue sends nothing more about it. */
  isOver: boolean
  /** Fingerprint of the fields whose changes are sent to the store. */
  said: string
}

export type KnownMarket = Omit<FoundMarket, 'isOver'> & {
  /** Time at which it was first seen to be over; null while it is not. */
  overMs: number | null
}

export type KeeperOptions = {
  venue: Venue
  sink: MarketSink
  figures: VenueFigures
  marketsMax: number
  /** How long a market is recorded after it is over. */
  keepMs: number
  /** How long before it opens a market is recorded. Infinity records it as soon as it is found. */
  aheadMs: number
  nowMs: () => number
}

export class MarketKeeper {
  readonly #options: KeeperOptions
  readonly #known = new Map<string, KnownMarket>()
  /** Known markets that the recorder has not taken yet, because it is too early or a limit is reached. */
  readonly #waiting = new Set<string>()
  /** Markets that were found when `marketsMax` was reached. */
  #surplus = new Set<string>()
  /** Increases with each change of the known markets. */
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

  /** Adds the markets that were known before a restart, and offers all of them to the recorder. */
  restore(markets: Iterable<KnownMarket>): void {
    for (const market of markets) {
      this.#known.set(market.market, market)
      this.#waiting.add(market.market)
    }
    this.sweep()
  }

  /** Adds and updates markets. Returns whether the store should get the response that describes them. */
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
    this.#offerWaiting()
    return isNews
  }

  /** Removes markets that have been over for `keepMs`, and offers again those that were not taken. */
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
    this.#offerWaiting()
  }

  /** Clears the markets without room: the scan that starts now counts them again. */
  beginScan(): void {
    this.#surplus = new Set()
  }

  #hasRoom({ market }: { market: string }): boolean {
    if (this.#known.size < this.#options.marketsMax) return true
    this.#surplus.add(market)
    return false
  }

  #offerWaiting(): void {
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
