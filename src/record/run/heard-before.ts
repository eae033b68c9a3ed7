// Writes the last-seen times of books from earlier processes into segments of their own. A connection may get other
// books than the connection of the same name had before, and its segments hide what the older ones have about books
// that still wait.

import { NS_PER_MS } from '../../../storage/units.ts'
import type { Venue } from '../../../storage/venue.ts'
import type { Heard } from '../connection/gap-tracker.ts'
import type { BookId } from '../connection/venue-protocol.ts'
import type { Segment } from '../segments/segment-files.ts'
import type { OpenSegment } from '../segments/segment-keeper.ts'
import type { HeardBooks } from './last-heard.ts'

/** A book that was not recorded for this long starts without a gap. */
const RETENTION_MS = 30 * 86_400_000
const BOOKS_IN_LINE = 5_000

export class HeardBefore {
  readonly #heard: HeardBooks
  readonly #openSegment: OpenSegment
  readonly #open = new Set<Segment>()
  readonly #nowNs: () => bigint
  /** Books that this process or another recorder records now. */
  readonly #taken: Record<Venue, Set<BookId>> = { polymarket: new Set(), kalshi: new Set() }
  /** Venues whose times are still to be written: at the start, and when all books are placed. */
  readonly #unwritten: Record<'begin' | 'placed', Set<Venue>>

  constructor(heard: HeardBooks, openSegment: OpenSegment, nowNs: () => bigint) {
    this.#heard = heard
    this.#openSegment = openSegment
    this.#nowNs = nowNs
    const venues = (['polymarket', 'kalshi'] as const).filter((venue) => heard[venue].size > 0)
    this.#unwritten = { begin: new Set(venues), placed: new Set(venues) }
  }

  /** Whether an earlier process recorded the book and this one does not yet. */
  has(venue: Venue, book: BookId): boolean {
    return this.#heard[venue].has(book) && !this.#taken[venue].has(book)
  }

  /** Returns the last-seen time of a book from an earlier process. Returns undefined from the second call on, when this
   *  process records the book itself. */
  before(venue: Venue, book: BookId): Heard | undefined {
    if (!this.has(venue, book)) return undefined
    this.forget(venue, book)
    return this.#heard[venue].get(book)
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
    const books = [...this.#heard[venue]].filter(([book, { untilMs }]) => isRelevant(book) && untilMs > fromMs)
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
