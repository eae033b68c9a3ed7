// Holds the last-seen time of each book from before this process recorded it: from an earlier process, or from the
// store. Also writes the times of earlier processes into separate segments. Reason: a start reads only the newest
// segment of each connection. A connection may now have other books than in the earlier process, so its new segments
// would hide the times of books that are not recorded again yet.

import { NS_PER_MS } from '../../../storage/units.ts'
import { byVenue, VENUES, type Venue } from '../../../storage/venue.ts'
import type { LastSeen } from '../connection/gap-tracker.ts'
import type { BookId } from '../connection/venue-protocol.ts'
import type { OpenSegment, Segment } from '../segments/segment-files.ts'
import type { SeenBooks } from './segment-ends.ts'

/** A book that was not recorded for this long starts without a gap. */
const RETENTION_MS = 30 * 86_400_000
const BOOKS_IN_LINE = 5_000

export class LastSeenBooks {
  readonly #lastSeen: SeenBooks
  readonly #openSegment: OpenSegment
  readonly #open = new Set<Segment>()
  readonly #nowNs: () => bigint
  /** Last stored records of books that no earlier process recorded; null if the store has none. */
  readonly #stored: Record<Venue, Map<BookId, LastSeen | null>> = byVenue(() => new Map())
  /** Books that this process or another recorder records now. */
  readonly #taken: Record<Venue, Set<BookId>> = byVenue(() => new Set())
  /** Venues whose last-seen times must still be written: at the start (`begin`), and when connections have all wanted
   *  books (`placed`). */
  readonly #unwritten: Record<'begin' | 'placed', Set<Venue>>

  constructor(lastSeen: SeenBooks, openSegment: OpenSegment, nowNs: () => bigint) {
    this.#lastSeen = lastSeen
    this.#openSegment = openSegment
    this.#nowNs = nowNs
    const venues = VENUES.filter((venue) => lastSeen[venue].size > 0)
    this.#unwritten = { begin: new Set(venues), placed: new Set(venues) }
  }

  /** Whether an earlier process recorded the book and this one does not yet. */
  has(venue: Venue, book: BookId): boolean {
    return this.#lastSeen[venue].has(book) && !this.#taken[venue].has(book)
  }

  /** Whether the book's last-seen time is known, or the store is known to have none. Then `take` can be called
   *  without a query of the store. */
  isKnown(venue: Venue, book: BookId): boolean {
    return this.has(venue, book) || this.#stored[venue].has(book)
  }

  /** Adds the last stored record of a book; null if the store has none. */
  addStored(venue: Venue, book: BookId, record: LastSeen | null): void {
    if (!this.has(venue, book)) this.#stored[venue].set(book, record)
  }

  /** Returns the last-seen time of a book: from an earlier process, else from the store. Returns undefined if there is
   *  none. Also returns undefined from the second call on, because this process then records the book itself. */
  take(venue: Venue, book: BookId): LastSeen | undefined {
    if (!this.has(venue, book)) {
      const stored = this.#stored[venue].get(book)
      this.#stored[venue].delete(book)
      return stored ?? undefined
    }
    this.forget(venue, book)
    return this.#lastSeen[venue].get(book)
  }

  forget(venue: Venue, book: BookId): void {
    this.#taken[venue].add(book)
  }

  /** Writes all last-seen times, once, before any socket writes the state of its books. Throws disk errors. */
  begin(): void {
    for (const venue of this.#unwritten.begin) {
      this.#write(venue, 1, () => true)
      this.#unwritten.begin.delete(venue)
    }
    this.#close()
  }

  /** Writes, once, the last-seen times of books that no connection has. Must be called when the segments with all
   *  wanted books are on disk. */
  placed(): void {
    for (const venue of this.#unwritten.placed) {
      this.#write(venue, 2, (book) => !this.#taken[venue].has(book))
      this.#unwritten.placed.delete(venue)
    }
    this.#close()
  }

  #write(venue: Venue, count: number, isRelevant: (book: BookId) => boolean): void {
    const fromMs = Number(this.#nowNs() / NS_PER_MS) - RETENTION_MS
    const books = [...this.#lastSeen[venue]].filter(([book, { untilMs }]) => isRelevant(book) && untilMs > fromMs)
    const header = { venue, connection: `${venue}-0-${count}`, url: '', useYesPrice: null, clock: 'machine' } as const
    const ahead = books.reduce((most, [, { aheadMs = 0 }]) => Math.max(most, aheadMs), 0)
    const segment = this.#openSegment(header)
    for (let i = 0; i === 0 || i < books.length; i += BOOKS_IN_LINE) {
      const some = books.slice(i, i + BOOKS_IN_LINE)
      const lost = Object.fromEntries(some.map(([book, { untilMs }]) => [book, Math.floor(untilMs)]))
      const before = Object.fromEntries(
        some.flatMap(([book, { beforeMs }]) => (beforeMs === undefined ? [] : [[book, Math.floor(beforeMs)]])),
      )
      const fields = { books: some.map(([book]) => book), lost, before }
      segment.control('state', { state: 'carries', ...(i === 0 ? { all: true, ahead } : {}), ...fields })
    }
    this.#open.add(segment)
  }

  /** Closes the segments. Those that fail stay open for the next call. */
  #close(): void {
    for (const segment of this.#open) {
      segment.close({ because: 'heard before' })
      this.#open.delete(segment)
    }
  }
}
