// Counts the markets of a set of books. A token whose market is not known counts as one.

import type { BookId } from '../connection/venue-protocol.ts'

export class MarketCount {
  readonly #ofBook = new Map<BookId, string>()
  readonly #books = new Map<string, number>()

  get size(): number {
    return this.#books.size
  }

  add(book: BookId, market: string | null): void {
    const name = market ?? book
    if (this.#ofBook.has(book)) return
    this.#ofBook.set(book, name)
    this.#books.set(name, (this.#books.get(name) ?? 0) + 1)
  }

  delete(book: BookId): void {
    const name = this.#ofBook.get(book)
    if (name === undefined) return
    this.#ofBook.delete(book)
    const left = this.#books.get(name)! - 1
    if (left === 0) this.#books.delete(name)
    else this.#books.set(name, left)
  }
}
