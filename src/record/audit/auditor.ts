// Compares random samples of the recorder's books with REST at a fixed rate, while there are sockets.

import type { AuditResult } from '../../../storage/finding/audits.ts'
import { sleep, type Timers } from '../../../storage/retry/timers.ts'
import type { BookId } from '../connection/venue-protocol.ts'
import { RestError, type RestHost } from '../rest/rest-host.ts'
import type { Random } from '../time/clock.ts'
import type { Levels } from './audited-book.ts'

/** A session whose books can be compared. */
export interface AuditedSession {
  /** Returns the books that can be compared now. */
  known(): Iterable<BookId>
  /** Begins to note the states of a book. Returns false if the book is not known, or already watched. */
  watch(book: BookId): boolean
  /** Compares the states since `watch` with the book from REST. `restLevels` is undefined if REST has no such book.
   *  Returns undefined if the socket was closed or the book removed meanwhile. */
  conclude(book: BookId, restLevels: Levels | undefined): AuditResult | undefined
  /** Handles a book that differs from the venue's book. */
  distrust(book: BookId): void
}

type AuditorOptions = {
  rest: Pick<RestHost, 'get'>
  booksPerSecond: number
  /** Largest number of books in one request. */
  batchMax: number
  /** Number of comparisons in a row that must differ before a book is distrusted. */
  comparisons: number
  path(books: readonly BookId[]): string
  /** Reads the JSON of a body. Returns undefined if the body has another form. */
  read(json: unknown): ReadonlyMap<BookId, Levels> | undefined
  timers: Timers
  random: Random
}

type Watched = { session: AuditedSession; book: BookId }

/** Time for which books are gathered, ms. One request compares the books that are due in this time. */
export const GATHER_MS = 10_000
/** How far the socket may lag behind REST, ms. */
export const SETTLE_MS = 500

export class Auditor {
  readonly #options: AuditorOptions
  readonly #books: number
  readonly #sessions = new Set<AuditedSession>()
  #cancel: (() => void) | undefined
  #abort = new AbortController()

  constructor(options: AuditorOptions) {
    this.#options = options
    const due = Math.round((options.booksPerSecond * GATHER_MS) / 1_000)
    this.#books = Math.min(options.batchMax, Math.max(1, due))
  }

  /** Includes the books of this session in the samples. */
  add(session: AuditedSession): void {
    this.#sessions.add(session)
    if (this.#sessions.size > 1) return
    this.#abort = new AbortController()
    this.#schedule()
  }

  remove(session: AuditedSession): void {
    this.#sessions.delete(session)
    if (this.#sessions.size > 0) return
    this.#cancel?.()
    this.#cancel = undefined
    this.#abort.abort()
  }

  #schedule(): void {
    const { timers, booksPerSecond } = this.#options
    this.#cancel = timers.after((this.#books * 1_000) / booksPerSecond, () => {
      this.#schedule()
      void this.#audit(this.#abort.signal)
    })
  }

  async #audit(signal: AbortSignal): Promise<void> {
    let watched = this.#sample()
    for (let left = this.#options.comparisons; left > 0 && watched.length > 0; left--) {
      const books = await this.#request(watched, signal)
      await sleep(SETTLE_MS, this.#options.timers)
      watched = watched.filter(({ session, book }) => session.conclude(book, books?.get(book)) === 'inconsistent')
      if (left > 1) watched = watched.filter(({ session, book }) => session.watch(book))
    }
    for (const { session, book } of watched) session.distrust(book)
  }

  /** Returns the books from REST; undefined if the request failed. */
  async #request(watched: readonly Watched[], signal: AbortSignal) {
    const { rest, path, read } = this.#options
    try {
      return (await rest.get({ path: path(watched.map(({ book }) => book)), read, signal })).read
    } catch (error) {
      if (!(error instanceof RestError)) throw error
      return undefined
    }
  }

  /** Picks random books that are known, and watches them. */
  #sample(): Watched[] {
    const known: Watched[] = []
    for (const session of this.#sessions) for (const book of session.known()) known.push({ session, book })
    const picked: Watched[] = []
    while (picked.length < this.#books && known.length > 0) {
      const index = Math.floor(this.#options.random() * known.length)
      const { session, book } = known[index]!
      known[index] = known.at(-1)!
      known.pop()
      if (session.watch(book)) picked.push({ session, book })
    }
    return picked
  }
}
