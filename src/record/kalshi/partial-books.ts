// Books with a channel that has ended and is not confirmed again. A snapshot from the other channel does not end their
// gap, because messages are still being lost.

import type { BookId } from '../connection/venue-protocol.ts'
import type { Subscriptions } from './subscriptions.ts'

export class PartialBooks {
  readonly #subscriptions: Pick<Subscriptions, 'wanted' | 'isConfirmed'>
  /** Books that had a snapshot which did not end their gap. */
  readonly #books = new Set<BookId>()
  #hasEnded = false

  constructor(subscriptions: Pick<Subscriptions, 'wanted' | 'isConfirmed'>) {
    this.#subscriptions = subscriptions
  }

  /** Notes that a channel has ended. */
  begin(): void {
    this.#hasEnded = true
  }

  /** Whether a snapshot of this book must not end its gap. Must be called for each snapshot. */
  has(book: BookId): boolean {
    const { wanted } = this.#subscriptions
    if (!this.#hasEnded || !wanted.has(book) || this.#subscriptions.isConfirmed(book)) return false
    this.#books.add(book)
    return true
  }

  /** Removes and returns the books whose channels are all confirmed by now. The caller has to request their
   *  snapshots. */
  takeWhole(): BookId[] {
    const whole = [...this.#books].filter((book) => this.#subscriptions.isConfirmed(book))
    for (const book of whole) this.#books.delete(book)
    return whole
  }
}
