// Follows the books of one socket change by change: checks each for contradictions, and lets an audit compare it with
// REST.

import { AuditWindow } from '../audit/audit-window.ts'
import type { Levels } from '../audit/levels.ts'
import type { BookId } from '../connection/venue-protocol.ts'
import type { AuditResult } from '../status/recorder-figures.ts'
import type { BookEvidence } from './book-evidence.ts'
import { LevelBook } from './level-book.ts'

type Message = Record<string, unknown>

export class FollowedBooks {
  readonly #evidence: BookEvidence
  readonly #levels = new Map<BookId, LevelBook>()
  readonly #windows = new Map<BookId, AuditWindow>()

  constructor(evidence: BookEvidence) {
    this.#evidence = evidence
  }

  add(book: BookId): void {
    this.#levels.set(book, new LevelBook())
  }

  forget(book: BookId): void {
    this.#levels.delete(book)
    this.#windows.get(book)?.broken()
    this.#evidence.forget(book)
  }

  /** Marks all books as unknown until their next snapshots, because messages are missing. */
  lose(): void {
    for (const levels of this.#levels.values()) levels.forget()
    for (const window of this.#windows.values()) window.broken()
    this.#evidence.forgetAll()
  }

  /** Ends all audits without a result. */
  close(): void {
    this.#windows.clear()
    this.#evidence.forgetAll()
  }

  /** Replaces a book. `msg` is that of an `orderbook_snapshot`. */
  snapshot(book: BookId, msg: Message): void {
    const levels = this.#levels.get(book)
    if (levels === undefined) return
    levels.replace(msg)
    this.#windows.get(book)?.replaced(levels.levels)
    this.#evidence.snapshot(book, levels)
  }

  /** Replaces a book by one from REST. */
  become(book: BookId, restLevels: Levels): void {
    const levels = this.#levels.get(book)
    if (levels === undefined) return
    levels.become(restLevels)
    this.#evidence.snapshot(book, levels)
  }

  /** Applies a change. `msg` is that of an `orderbook_delta`. */
  change(book: BookId, msg: Message): void {
    const levels = this.#levels.get(book)
    if (levels === undefined) return
    this.#evidence.before(msg)
    const wasKnown = levels.isKnown
    const price = levels.apply(msg)
    if (wasKnown) this.#evidence.changed(book, levels, msg)
    const window = this.#windows.get(book)
    if (price === undefined) window?.broken()
    else window?.changed(price, levels.levels.get(price) ?? 0)
  }

  /** Opens an audit window on a book, until `conclude`. Returns undefined if the book is not known or already
   *  watched. */
  watch(book: BookId): AuditWindow | undefined {
    const levels = this.#levels.get(book)
    if (levels?.isKnown !== true || this.#windows.has(book)) return undefined
    const window = new AuditWindow(levels.levels)
    this.#windows.set(book, window)
    return window
  }

  /** Ends the audit of a book. `restLevels` is the book from REST, undefined if REST has none. Returns undefined if the
   *  book was not watched. */
  conclude(book: BookId, restLevels: Levels | undefined): AuditResult | undefined {
    const window = this.#windows.get(book)
    this.#windows.delete(book)
    return window?.result(restLevels)
  }
}
