// Books of which a channel has ended and is not confirmed again: a snapshot that comes over another one does not end
// their gap, since messages are still lost.

import type { BookId } from '../connection/venue-protocol.ts'
import type { Subscriptions } from './subscriptions.ts'

export class PartialBooks {
  readonly #subscriptions: Pick<Subscriptions, 'wanted' | 'isConfirmed'>
  /** Those that a snapshot was kept back of. */
  readonly #books = new Set<BookId>()
  #hasEnded = false

  constructor(subscriptions: Pick<Subscriptions, 'wanted' | 'isConfirmed'>) {
    this.#subscriptions = subscriptions
  }

  /** A channel has ended. */
  begin(): void {
    this.#hasEnded = true
  }

  /** To be asked of each snapshot. */
  has(book: BookId): boolean {
    const { wanted } = this.#subscriptions
    if (!this.#hasEnded || !wanted.has(book) || this.#subscriptions.isConfirmed(book)) return false
    this.#books.add(book)
    return true
  }

  /** Those that are whole by now: their snapshots have to be asked for. */
  takeWhole(): BookId[] {
    const whole = [...this.#books].filter((book) => this.#subscriptions.isConfirmed(book))
    for (const book of whole) this.#books.delete(book)
    return whole
  }
}
