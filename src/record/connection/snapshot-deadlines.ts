// Holds the deadlines of books that wait for a snapshot. Pure.

import type { BookId } from './venue-protocol.ts'

export class SnapshotDeadlines {
  /** Deadline by book, ms of the monotonic clock. */
  readonly #due = new Map<BookId, number>()
  #earliestMs = Number.POSITIVE_INFINITY

  get waiting(): number {
    return this.#due.size
  }

  expect(book: BookId, dueMs: number): void {
    this.#due.set(book, dueMs)
    this.#earliestMs = Math.min(this.#earliestMs, dueMs)
  }

  met(book: BookId): void {
    this.#due.delete(book)
  }

  clear(): void {
    this.#due.clear()
    this.#earliestMs = Number.POSITIVE_INFINITY
  }

  /** Returns the books whose deadline has passed. Each then waits again, for `againMs`. */
  overdue(nowMs: number, againMs: number): BookId[] {
    if (nowMs < this.#earliestMs) return []
    const books: BookId[] = []
    let earliestMs = Number.POSITIVE_INFINITY
    for (const [book, dueMs] of this.#due) {
      const isOver = nowMs >= dueMs
      if (isOver) {
        books.push(book)
        this.#due.set(book, nowMs + againMs)
      }
      earliestMs = Math.min(earliestMs, isOver ? nowMs + againMs : dueMs)
    }
    this.#earliestMs = earliestMs
    return books
  }
}
