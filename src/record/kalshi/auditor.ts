// Compares random samples of the recorder's books with REST, several books in a request, at a fixed rate.

import type { Timers } from '../../../storage/retry/timers.ts'
import { AuditLoop } from '../audit/audit-loop.ts'
import type { Random } from '../connection/clock.ts'
import { RestError, type RestHost } from '../rest/rest-host.ts'
import { ORDERBOOKS_MAX, orderbooksPath, readOrderbooks } from './rest-orderbooks.ts'
import type { KalshiSession } from './session.ts'

/** One request audits the books that are due in this time. */
export const GATHER_MS = 10_000

type AuditorOptions = {
  rest: Pick<RestHost, 'get'>
  booksPerSecond: number
  timers: Timers
  random: Random
  sessions(): Iterable<KalshiSession>
}

type Watched = { session: KalshiSession; book: string }

export class KalshiAuditor {
  readonly #options: AuditorOptions
  readonly #books: number
  readonly #loop: AuditLoop

  constructor(options: AuditorOptions) {
    this.#options = options
    const due = Math.round((options.booksPerSecond * GATHER_MS) / 1_000)
    this.#books = Math.min(ORDERBOOKS_MAX, Math.max(1, due))
    const everyMs = (this.#books * 1_000) / options.booksPerSecond
    this.#loop = new AuditLoop({ timers: options.timers, everyMs, audit: (signal) => this.#audit(signal) })
  }

  start(): void {
    this.#loop.start()
  }

  stop(): void {
    this.#loop.stop()
  }

  async #audit(signal: AbortSignal): Promise<void> {
    const watched = this.#sample()
    if (watched.length === 0) return
    const path = orderbooksPath(watched.map(({ book }) => book))
    try {
      const { read } = await this.#options.rest.get({ path, read: readOrderbooks, signal })
      await this.#loop.settle()
      for (const { session, book } of watched) session.conclude(book, read.get(book))
    } catch (error) {
      if (!(error instanceof RestError)) throw error
      for (const { session, book } of watched) session.conclude(book, undefined)
    }
  }

  /** Picks random books that are known, and opens an audit window for each. */
  #sample(): Watched[] {
    const known: Watched[] = []
    for (const session of this.#options.sessions()) for (const book of session.knownBooks) known.push({ session, book })
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
