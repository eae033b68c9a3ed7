// The socket that is to take the place of another, and the snapshots that it owes until it may: until then the old one
// stays, so that nothing is missed in between.

import type { SocketSession } from './socket-session.ts'
import type { BookId } from './venue-protocol.ts'

export class Standby {
  session: SocketSession | undefined
  readonly #owed = new Set<BookId>()
  #ofMax = 0
  #dueMs = Number.POSITIVE_INFINITY

  /** Books whose snapshot has not come. */
  get owed(): ReadonlySet<BookId> {
    return this.#owed
  }

  get isOpen(): boolean {
    return this.session?.isOpen === true
  }

  /** It is open: it owes what the other one has, until `dueMs` of the monotonic clock. */
  owe(books: Iterable<BookId>, dueMs: number): void {
    for (const book of books) this.#owed.add(book)
    this.#ofMax = Math.max(this.#ofMax, this.#owed.size)
    this.#dueMs = Math.min(this.#dueMs, dueMs)
  }

  /** A snapshot came, or is of no interest any more. True where that was the last. */
  paid(book: BookId): boolean {
    return this.#owed.delete(book) && this.#owed.size === 0
  }

  isLate(nowMs: number): boolean {
    return nowMs >= this.#dueMs
  }

  /** Some books have no snapshot to send. A socket that sent none at all is worse than the old one. */
  get sentNone(): boolean {
    return this.#ofMax > 0 && this.#owed.size >= this.#ofMax
  }

  /** The session and what it owes, which is not waited for any more. */
  take(): { session: SocketSession | undefined; owed: BookId[] } {
    const taken = { session: this.session, owed: [...this.#owed] }
    this.session = undefined
    this.#owed.clear()
    this.#ofMax = 0
    this.#dueMs = Number.POSITIVE_INFINITY
    return taken
  }
}
