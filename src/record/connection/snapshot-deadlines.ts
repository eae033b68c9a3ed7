// Holds the deadlines of books that wait for a snapshot. Pure.

import type { BookId } from './venue-protocol.ts'

export class SnapshotDeadlines {
  /** Deadline by book, ms of the monotonic clock. */
  readonly #due = new Map<BookId, number>()
  /** Books whose first deadline has passed. */
  readonly #late = new Set<BookId>()
  #earliestMs = Number.POSITIVE_INFINITY

  /** Number of books whose first deadline is still to come. A venue may never send the snapshot of a dead market. */
  get waiting(): number {
    return this.#due.size - this.#late.size
  }

  expect(book: BookId, dueMs: number): void {
    this.#late.delete(book)
    this.#due.set(book, dueMs)
    this.#earliestMs = Math.min(this.#earliestMs, dueMs)
  }

  met(book: BookId): void {
    this.#due.delete(book)
    this.#late.delete(book)
  }

  clear(): void {
    this.#due.clear()
    this.#late.clear()
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
        this.#late.add(book)
        this.#due.set(book, nowMs + againMs)
      }
      earliestMs = Math.min(earliestMs, isOver ? nowMs + againMs : dueMs)
    }
    this.#earliestMs = earliestMs
    return books
  }
}
