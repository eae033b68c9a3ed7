// Compares the recorder's books with those of REST, one after the other. A book that differs twice is not trusted any
// more.

import type { Random, Timers } from '../connection/time.ts'
import { RestError, type RestHost } from '../rest/rest-host.ts'
import { bookPath, type RestBook, readRestBook } from './rest-book.ts'
import type { PolymarketSession } from './session.ts'

/** What the socket may lag behind REST. */
const SETTLE_MS = 500

export type AuditorOptions = {
  rest: Pick<RestHost, 'get'>
  booksPerSecond: number
  timers: Timers
  random: Random
  sessions(): Iterable<PolymarketSession>
}

export class PolymarketAuditor {
  readonly #options: AuditorOptions
  #cancel: (() => void) | undefined
  #abort = new AbortController()

  constructor(options: AuditorOptions) {
    this.#options = options
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
    const { timers, booksPerSecond } = this.#options
    this.#cancel = timers.after(1_000 / booksPerSecond, () => {
      this.#schedule()
      void this.#auditOne()
    })
  }

  async #auditOne(): Promise<void> {
    const known: [PolymarketSession, string][] = []
    for (const session of this.#options.sessions()) for (const token of session.known()) known.push([session, token])
    const [session, token] = known[Math.floor(this.#options.random() * known.length)] ?? []
    if (session === undefined || token === undefined) return
    if ((await this.#audit(session, token)) !== 'inconsistent') return
    if ((await this.#audit(session, token)) === 'inconsistent') session.distrust(token)
  }

  async #audit(session: PolymarketSession, token: string) {
    if (!session.watch(token)) return undefined
    const told = await this.#ask(token)
    await new Promise<void>((resolve) => void this.#options.timers.after(SETTLE_MS, resolve))
    return session.conclude(token, told)
  }

  /** Undefined where REST has no book that proves itself. */
  async #ask(token: string): Promise<RestBook | undefined> {
    const { signal } = this.#abort
    const read = (body: string) => ({ book: readRestBook(body) })
    try {
      return (await this.#options.rest.get({ path: bookPath(token), read, signal })).read.book
    } catch (error) {
      if (!(error instanceof RestError)) throw error
      return undefined
    }
  }
}
