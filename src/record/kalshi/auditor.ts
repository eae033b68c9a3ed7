// Compares a sample of the recorder's books with those of REST, some at once, again and again.

import type { Random, Timers } from '../connection/time.ts'
import { RestError, type RestHost } from '../rest/rest-host.ts'
import { ORDERBOOKS_MAX, orderbooksPath, readOrderbooks } from './rest-orderbooks.ts'
import type { KalshiSession } from './session.ts'

/** What the socket may lag behind REST. */
const SETTLE_MS = 500
/** What a request asks for is what is due in so long. */
const GATHER_MS = 10_000

export type AuditorOptions = {
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
  readonly #everyMs: number
  #cancel: (() => void) | undefined
  #abort = new AbortController()

  constructor(options: AuditorOptions) {
    this.#options = options
    const due = Math.round((options.booksPerSecond * GATHER_MS) / 1_000)
    this.#books = Math.min(ORDERBOOKS_MAX, Math.max(1, due))
    this.#everyMs = (this.#books * 1_000) / options.booksPerSecond
  }

  start(): void {
    if (this.#cancel !== undefined) return
    this.#abort = new AbortController()
    this.#schedule()
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#abort.abort()
  }

  #schedule(): void {
    this.#cancel = this.#options.timers.after(this.#everyMs, () => {
      this.#schedule()
      void this.#audit()
    })
  }

  async #audit(): Promise<void> {
    const watched = this.#sample()
    if (watched.length === 0) return
    const path = orderbooksPath(watched.map(({ book }) => book))
    const { signal } = this.#abort
    try {
      const { read } = await this.#options.rest.get({ path, read: readOrderbooks, signal })
      await new Promise<void>((resolve) => this.#options.timers.after(SETTLE_MS, resolve))
      for (const { session, book } of watched) session.conclude(book, read.get(book))
    } catch (error) {
      if (!(error instanceof RestError)) throw error
      for (const { session, book } of watched) session.conclude(book, undefined)
    }
  }

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
