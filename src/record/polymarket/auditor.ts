// Compares random books of the recorder with REST, one at a time. A book that differs twice is no longer trusted.

import type { Timers } from '../../../storage/retry/timers.ts'
import { AuditLoop } from '../audit/audit-loop.ts'
import type { Random } from '../connection/clock.ts'
import { RestError, type RestHost } from '../rest/rest-host.ts'
import { bookPath, type RestBook, readRestBook } from './rest-book.ts'
import type { PolymarketSession } from './session.ts'

type AuditorOptions = {
  rest: Pick<RestHost, 'get'>
  booksPerSecond: number
  timers: Timers
  random: Random
  sessions(): Iterable<PolymarketSession>
}

export class PolymarketAuditor {
  readonly #options: AuditorOptions
  readonly #loop: AuditLoop

  constructor(options: AuditorOptions) {
    this.#options = options
    const { timers, booksPerSecond } = options
    this.#loop = new AuditLoop({ timers, everyMs: 1_000 / booksPerSecond, audit: (signal) => this.#auditOne(signal) })
  }

  start(): void {
    this.#loop.start()
  }

  stop(): void {
    this.#loop.stop()
  }

  async #auditOne(signal: AbortSignal): Promise<void> {
    const known: [PolymarketSession, string][] = []
    for (const session of this.#options.sessions()) for (const token of session.known()) known.push([session, token])
    const [session, token] = known[Math.floor(this.#options.random() * known.length)] ?? []
    if (session === undefined || token === undefined) return
    if ((await this.#audit(session, token, signal)) !== 'inconsistent') return
    if ((await this.#audit(session, token, signal)) === 'inconsistent') session.distrust(token)
  }

  async #audit(session: PolymarketSession, token: string, signal: AbortSignal) {
    if (!session.watch(token)) return undefined
    const restBook = await this.#request(token, signal)
    await this.#loop.settle()
    return session.conclude(token, restBook)
  }

  /** Returns the book from REST. Returns undefined if there is none whose hash is right. */
  async #request(token: string, signal: AbortSignal): Promise<RestBook | undefined> {
    const read = (body: string) => ({ book: readRestBook(body) })
    try {
      return (await this.#options.rest.get({ path: bookPath(token), read, signal })).read.book
    } catch (error) {
      if (!(error instanceof RestError)) throw error
      return undefined
    }
  }
}
