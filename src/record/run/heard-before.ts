// What was heard of books before this process began, in segments of its own beside those of the sockets: a connection
// may carry other books than the one of its name did before, and hides what that one said of books that wait.

import { NS_PER_MS } from '../../../storage/units.ts'
import type { Venue } from '../../../storage/venue.ts'
import type { Heard } from '../connection/gap-tracker.ts'
import type { BookId } from '../connection/venue-protocol.ts'
import type { Segment } from '../segments/recorded-segment.ts'
import type { OpenSegment } from '../segments/segment-keeper.ts'
import type { HeardBooks } from './last-heard.ts'

/** A book that nobody wanted for so long begins anew. */
const KEPT_MS = 30 * 86_400_000
const BOOKS_IN_LINE = 5_000

export class HeardBefore {
  readonly #heard: HeardBooks
  readonly #openSegment: OpenSegment
  readonly #open = new Set<Segment>()
  readonly #nowNs: () => bigint
  readonly #asked: Record<Venue, Set<BookId>> = { polymarket: new Set(), kalshi: new Set() }
  /** Of which venues it is to be written, at the start and when all is placed. */
  readonly #unsaid: Record<'begin' | 'placed', Set<Venue>>

  constructor(heard: HeardBooks, openSegment: OpenSegment, nowNs: () => bigint) {
    this.#heard = heard
    this.#openSegment = openSegment
    this.#nowNs = nowNs
    const venues = (['polymarket', 'kalshi'] as const).filter((venue) => heard[venue].size > 0)
    this.#unsaid = { begin: new Set(venues), placed: new Set(venues) }
  }

  has(venue: Venue, book: BookId): boolean {
    return this.#heard[venue].has(book) && !this.#asked[venue].has(book)
  }

  /** Returns what an earlier process received last of the book. Returns undefined from the second call on, when this
   *  process records the book itself. */
  before(venue: Venue, book: BookId): Heard | undefined {
    if (!this.has(venue, book)) return undefined
    this.forget(venue, book)
    return this.#heard[venue].get(book)
  }

  forget(venue: Venue, book: BookId): void {
    this.#asked[venue].add(book)
  }

  /** Writes all of it, once: before any socket says what it carries. Throws what the disk says. */
  begin(): void {
    for (const venue of this.#unsaid.begin) {
      this.#write(venue, 1, () => true)
      this.#unsaid.begin.delete(venue)
    }
    this.#close()
  }

  /** The segments of sockets, on the disk, tell of all that is wanted: writes, once, what is left. */
  placed(): void {
    for (const venue of this.#unsaid.placed) {
      this.#write(venue, 2, (book) => !this.#asked[venue].has(book))
      this.#unsaid.placed.delete(venue)
    }
    this.#close()
  }

  #write(venue: Venue, count: number, isMeant: (book: BookId) => boolean): void {
    const fromMs = Number(this.#nowNs() / NS_PER_MS) - KEPT_MS
    const books = [...this.#heard[venue]].filter(([book, { untilMs }]) => isMeant(book) && untilMs > fromMs)
    const header = { venue, connection: `${venue}-0-${count}`, url: '', useYesPrice: null, clock: 'machine' } as const
    const ahead = books.reduce((most, [, { aheadMs = 0 }]) => Math.max(most, aheadMs), 0)
    const segment = this.#openSegment(header)
    for (let i = 0; i === 0 || i < books.length; i += BOOKS_IN_LINE) {
      const some = books.slice(i, i + BOOKS_IN_LINE)
      const lost = Object.fromEntries(some.map(([book, { untilMs }]) => [book, Math.floor(untilMs)]))
      const before = Object.fromEntries(
        some.flatMap(([book, { beforeMs }]) => (beforeMs === undefined ? [] : [[book, Math.floor(beforeMs)]])),
      )
      const said = { books: some.map(([book]) => book), lost, before }
      segment.control('state', { state: 'carries', ...(i === 0 ? { all: true, ahead } : {}), ...said })
    }
    this.#open.add(segment)
  }

  /** Those that the disk does not take are kept for the next time. */
  #close(): void {
    for (const segment of this.#open) {
      segment.close({ because: 'heard before' })
      this.#open.delete(segment)
    }
  }
}
