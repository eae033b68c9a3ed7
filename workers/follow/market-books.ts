// All books of a market while its blocks are replayed, by id. A block refers to them by number.

import { releaseBook, takeBook } from '../book/book-pool.ts'
import { decodeBooks, UNSEEN_BOOKS } from '../book/book-state.ts'
import type { OrderBook } from '../book/order-book.ts'
import { closedBooks } from '../partition/closed-books.ts'

export class MarketBooks {
  readonly #books = new Map<string, OrderBook>()
  /** Whether a gap of the whole market also lost the books without any record so far. */
  #isUnseenLost = false

  /** Starts from a stored state; null before the first record of the market. At the start of a day no quote is open.
   *  Throws DataError('block_corrupt'). */
  constructor(state: Uint8Array | null, { isDayStart }: { isDayStart: boolean }) {
    if (state === null) return
    for (const { id, book } of isDayStart ? closedBooks(state).books : decodeBooks(state)) {
      if (isDayStart) book.openQuoteMs = -1
      if (id !== UNSEEN_BOOKS) this.#books.set(id, book)
      else {
        this.#isUnseenLost = true
        releaseBook(book)
      }
    }
  }

  /** Replaces the books with those of another source, from a stored state; null if that source has none. `onBook`
   *  receives each book before and after the switch, unless the book is known neither before nor after. Throws
   *  DataError('block_corrupt'). */
  switchTo(state: Uint8Array | null, onBook: (id: string, before: OrderBook, after: OrderBook) => void): void {
    this.#isUnseenLost = false
    const missing = new Set(this.#books.keys())
    const become = (id: string, book: OrderBook) => {
      const known = this.#book(id)
      onBook(id, known, book)
      known.become(book)
    }
    for (const { id, book, mark } of state === null ? [] : decodeBooks(state)) {
      if (id === UNSEEN_BOOKS) this.#isUnseenLost = true
      else if (missing.delete(id) || mark.last !== null) become(id, book)
      releaseBook(book)
    }
    const unknown = takeBook()
    for (const id of missing) become(id, unknown)
    releaseBook(unknown)
  }

  /** Returns the books of a block by number; 0 is the whole market. */
  numbered(ids: readonly string[]): (OrderBook | undefined)[] {
    return [undefined, ...ids.map((id) => this.#book(id))]
  }

  /** Marks all books except `ids` as lost after a gap of the whole market. Books that appear later start as lost. */
  loseAllBut(ids: readonly string[]): void {
    this.#isUnseenLost = true
    for (const [id, book] of this.#books) {
      if (ids.includes(id)) continue
      book.reset('gap')
      book.openQuoteMs = -1
    }
  }

  entries(): IterableIterator<[string, OrderBook]> {
    return this.#books.entries()
  }

  /** Releases the books, which must not be used afterwards. */
  release(): void {
    for (const book of this.#books.values()) releaseBook(book)
    this.#books.clear()
  }

  #book(id: string): OrderBook {
    const known = this.#books.get(id)
    if (known !== undefined) return known
    const book = takeBook()
    if (this.#isUnseenLost) book.reset('gap')
    this.#books.set(id, book)
    return book
  }
}
