// Takes the markets of the recorder's share. Of a book that it has no memory of, it first asks the store when the last
// record was: the gap since then is open until the first snapshot, as after a restart.

import { VENUES, type Venue } from '../../../storage/venue.ts'
import type { LiveLoading } from '../../../workers/live-load/live-loading.ts'
import { isOfShare, type Share } from '../config/share.ts'
import type { Heard } from '../connection/gap-tracker.ts'
import type { BookId } from '../connection/venue-protocol.ts'
import type { MarketSink, WantedMarket } from '../connection/wanted-market.ts'
import type { HeardBefore } from './heard-before.ts'
import type { VenueConnections } from './venue-connections.ts'

export type MarketIntakeOptions = {
  /** Null for all markets. */
  share: Share | null
  connections: ReadonlyMap<Venue, VenueConnections>
  memory: HeardBefore
  loading: Pick<LiveLoading, 'lastRecords'>
  /** Whether what the venue sends happened in the past: what is stored then says nothing of what is missing. */
  isReplay(venue: Venue): boolean
  /** Wants again what was not taken. */
  offer(): void
}

/** Markets in one question: those that are answered are recorded while the next ones are asked for. */
const ASKED_AT_ONCE = 2_000

export class MarketIntake implements MarketSink {
  readonly #options: MarketIntakeOptions
  readonly #waiting = new Map<string, WantedMarket>()
  /** What the store says of books that are not taken yet; null where it has nothing. */
  readonly #stored = new Map<Venue, Map<BookId, Heard | null>>(VENUES.map((venue) => [venue, new Map()]))
  #isAsking = false
  #isStopped = false

  constructor(options: MarketIntakeOptions) {
    this.#options = options
  }

  /** Whether no market waits for the store. */
  get isSettled(): boolean {
    return this.#waiting.size === 0
  }

  want(markets: readonly WantedMarket[]): WantedMarket[] {
    const ours = markets.filter((market) => this.#isOurs(market))
    const waiting = ours.filter((market) => !this.#isKnown(market))
    const leftOut = this.#place(ours.filter((market) => this.#isKnown(market)))
    this.#ask(waiting)
    return [...leftOut, ...waiting]
  }

  unwant(venue: Venue, books: readonly BookId[]): void {
    this.#options.connections.get(venue)!.unwant(books)
  }

  /** What the store answers from now on is not used. */
  stop(): void {
    this.#isStopped = true
  }

  /** Another recorder has the others: what this one remembers of them is not written again. */
  #isOurs(wanted: WantedMarket): boolean {
    const { share, memory } = this.#options
    const { venue, books } = wanted
    if (share === null || this.#waiting.has(nameOf(wanted)) || isOfShare(wanted, share)) return true
    for (const book of books) memory.forget(venue, book)
    return false
  }

  #isKnown({ venue, books }: WantedMarket): boolean {
    const { connections, memory, isReplay } = this.#options
    const stored = this.#stored.get(venue)!
    if (isReplay(venue)) return true
    return books.every((book) => connections.get(venue)!.has(book) || memory.has(venue, book) || stored.has(book))
  }

  #place(markets: readonly WantedMarket[]): WantedMarket[] {
    return [...Map.groupBy(markets, ({ venue }) => venue)].flatMap(([venue, ofIt]) => {
      const connections = this.#options.connections.get(venue)!
      const stored = this.#stored.get(venue)!
      const leftOut = connections.want(ofIt, stored)
      for (const book of ofIt.flatMap(({ books }) => books)) if (connections.has(book)) stored.delete(book)
      return leftOut
    })
  }

  #ask(markets: readonly WantedMarket[]): void {
    for (const wanted of markets) this.#waiting.set(nameOf(wanted), wanted)
    if (!this.#isAsking) void this.#askAll()
  }

  async #askAll(): Promise<void> {
    const { loading, memory, offer } = this.#options
    this.#isAsking = true
    while (this.#waiting.size > 0 && !this.#isStopped) {
      const markets = [...this.#waiting.values()].slice(0, ASKED_AT_ONCE)
      // A thread that has ended loads nothing any more, and says so: what comes is recorded nevertheless.
      const answers = await loading.lastRecords(markets).catch(() => [])
      if (this.#isStopped) return
      for (const [index, wanted] of markets.entries()) {
        this.#waiting.delete(nameOf(wanted))
        const { venue, market, books } = wanted
        for (const book of books) {
          if (memory.has(venue, book)) continue
          const untilMs = answers[index]?.get(book)
          this.#stored.get(venue)!.set(book, untilMs === undefined ? null : { market, untilMs })
        }
      }
      offer()
    }
    this.#isAsking = false
  }
}

const nameOf = ({ venue, market, books }: WantedMarket): string => `${venue} ${market ?? books.join()}`
