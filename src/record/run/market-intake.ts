// Takes the markets of the recorder's share. If a book has no last-seen time, first queries the store for the book's
// last record. A gap since that record is then open until the first snapshot, as after a restart.

import type { Venue } from '../../../storage/venue.ts'
import type { LiveLoading } from '../../../workers/live-load/live-loading.ts'
import { isOfShare, type Share } from '../config/record-settings.ts'
import type { BookId, MarketSink, WantedMarket } from '../connection/venue-protocol.ts'
import type { LastSeenBooks } from '../last-seen/last-seen-books.ts'
import type { VenueConnections } from './venue-connections.ts'

type MarketIntakeOptions = {
  /** The recorder's share of the markets; null takes all markets. */
  share: Share | null
  connections: ReadonlyMap<Venue, VenueConnections>
  memory: LastSeenBooks
  loading: Pick<LiveLoading, 'lastRecords'>
  /** Whether the venue's URL is that of a replay. A replay's messages are from the past, so the last stored record does
   *  not show where a gap starts. */
  isReplay(venue: Venue): boolean
}

/** Number of markets in one query of the store. These markets are recorded while the next ones are queried. */
const MARKETS_PER_QUERY = 2_000

export class MarketIntake implements MarketSink {
  readonly #options: MarketIntakeOptions
  /** Markets that wait for the store. */
  readonly #waiting = new Map<string, WantedMarket>()
  #isQuerying = false
  #isStopped = false

  constructor(options: MarketIntakeOptions) {
    this.#options = options
  }

  /** Whether no market waits for the store. */
  get isSettled(): boolean {
    return this.#waiting.size === 0
  }

  want(markets: readonly WantedMarket[]): void {
    const ours = markets.filter((market) => this.#isOurs(market))
    for (const wanted of ours) if (!this.#isKnown(wanted)) this.#waiting.set(nameOf(wanted), wanted)
    this.#place(ours.filter((wanted) => !this.#waiting.has(nameOf(wanted))))
    if (!this.#isQuerying) void this.#queryAll()
  }

  unwant(venue: Venue, books: readonly BookId[]): void {
    const gone = new Set(books)
    for (const [name, wanted] of this.#waiting) {
      if (wanted.venue === venue && wanted.books.some((book) => gone.has(book))) this.#waiting.delete(name)
    }
    this.#options.connections.get(venue)!.unwant(books)
  }

  /** Ignores all further answers of the store. */
  stop(): void {
    this.#isStopped = true
  }

  /** Whether the market is in this recorder's share. If not, another recorder records the market, so this recorder
   *  drops the last-seen times of the market's books. */
  #isOurs(wanted: WantedMarket): boolean {
    const { share, memory } = this.#options
    const { venue, books } = wanted
    if (share === null || this.#waiting.has(nameOf(wanted)) || isOfShare(wanted, share)) return true
    for (const book of books) memory.forget(venue, book)
    return false
  }

  #isKnown({ venue, books }: WantedMarket): boolean {
    const { connections, memory, isReplay } = this.#options
    if (isReplay(venue)) return true
    return books.every((book) => connections.get(venue)!.has(book) || memory.isKnown(venue, book))
  }

  #place(markets: readonly WantedMarket[]): void {
    for (const [venue, group] of Map.groupBy(markets, ({ venue }) => venue)) {
      this.#options.connections.get(venue)!.want(group)
    }
  }

  async #queryAll(): Promise<void> {
    const { loading, memory, connections } = this.#options
    this.#isQuerying = true
    while (this.#waiting.size > 0 && !this.#isStopped) {
      const markets = [...this.#waiting.values()].slice(0, MARKETS_PER_QUERY)
      // If the loading thread has ended, that is reported elsewhere. The markets are recorded nevertheless.
      const answers = await loading.lastRecords(markets).catch(() => [])
      if (this.#isStopped) return
      for (const [index, wanted] of markets.entries()) {
        const { venue, market, books } = wanted
        for (const book of books) {
          if (connections.get(venue)!.has(book)) continue
          const untilMs = answers[index]?.get(book)
          memory.addStored(venue, book, untilMs === undefined ? null : { market, untilMs })
        }
      }
      // Leaves out markets that were unsubscribed meanwhile.
      this.#place(markets.filter((wanted) => this.#waiting.delete(nameOf(wanted))))
    }
    this.#isQuerying = false
  }
}

const nameOf = ({ venue, market, books }: WantedMarket): string => `${venue} ${market ?? books.join()}`
