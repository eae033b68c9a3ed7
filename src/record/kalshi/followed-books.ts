// The books of one socket, followed change by change: each is looked at for evidence against it, and compared with REST
// while an audit watches it.

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

  /** Something is missing: no book is known until its next snapshot. */
  lose(): void {
    for (const levels of this.#levels.values()) levels.forget()
    for (const window of this.#windows.values()) window.broken()
    this.#evidence.forgetAll()
  }

  /** No audit is concluded any more. */
  close(): void {
    this.#windows.clear()
    this.#evidence.forgetAll()
  }

  /** `msg` of an `orderbook_snapshot`. */
  snapshot(book: BookId, msg: Message): void {
    const levels = this.#levels.get(book)
    if (levels === undefined) return
    levels.replace(msg)
    this.#windows.get(book)?.replaced(levels.levels)
    this.#evidence.snapshot(book, levels)
  }

  /** A book of REST. */
  become(book: BookId, told: Levels): void {
    const levels = this.#levels.get(book)
    if (levels === undefined) return
    levels.become(told)
    this.#evidence.snapshot(book, levels)
  }

  /** `msg` of an `orderbook_delta`. */
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

  /** Follows a book until `conclude`. Returns undefined where the book is not known, or is watched already. */
  watch(book: BookId): AuditWindow | undefined {
    const levels = this.#levels.get(book)
    if (levels?.isKnown !== true || this.#windows.has(book)) return undefined
    const window = new AuditWindow(levels.levels)
    this.#windows.set(book, window)
    return window
  }

  /** Ends the audit of a book; `told` is the book of REST, undefined where it has none. Returns undefined where nothing
   *  watched the book. */
  conclude(book: BookId, told: Levels | undefined): AuditResult | undefined {
    const window = this.#windows.get(book)
    this.#windows.delete(book)
    return window?.result(told)
  }
}
