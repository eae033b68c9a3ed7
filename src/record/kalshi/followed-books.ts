// Follows the books of one socket change by change: checks each for contradictions, and lets an audit compare it with
// REST. Levels of YES and of NO are both bids.

import { haveMet } from '../../../workers/book/order-book.ts'
import { type Impossible, impossibleIn } from '../../../workers/book/shape-cursor.ts'
import { AuditWindow } from '../audit/audit-window.ts'
import { type Levels, microsOf, SignedBook, signedLevels, signedPrice } from '../audit/signed-book.ts'
import type { BookId } from '../connection/venue-protocol.ts'
import type { AuditResult } from '../status/recorder-figures.ts'
import type { BookEvidence } from './book-evidence.ts'

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

const SIGNS: Readonly<Record<string, 1 | -1>> = { yes: 1, no: -1 }

export class LevelBook extends SignedBook {
  /** Why the last change is impossible; undefined if it is possible, or if the book was not known. */
  impossible: Impossible | undefined

  /** Replaces the book. `msg` is that of an `orderbook_snapshot`. */
  replace(msg: Record<string, unknown>): void {
    this.become(levelsOf(msg['yes_dollars_fp'], msg['no_dollars_fp']))
  }

  /** Applies a change. `msg` is that of an `orderbook_delta`. Returns the changed price; undefined if the book is
   *  unknown. */
  apply(msg: Record<string, unknown>): number | undefined {
    const price = signedPrice(msg['price_dollars'], SIGNS[String(msg['side'])])
    const change = microsOf(msg['delta_fp'])
    const size = price === undefined || change === undefined ? undefined : (this.levels.get(price) ?? 0) + change
    this.impossible = this.isKnown ? impossibleIn(size ?? Number.NaN, true) : undefined
    return this.set(price, size)
  }

  /** The best bids for YES and for NO in 1e-6 dollars; -1 if there is none. */
  get bests(): readonly [yes: number, no: number] {
    let [yes, no] = [-1, -1]
    for (const price of this.levels.keys()) {
      if (price > yes) yes = price
      if (-price > no) no = -price
    }
    return [yes, no]
  }

  /** Whether the best bids for YES and NO meet: the venue would have matched them. */
  get isCrossed(): boolean {
    return haveMet(...this.bests)
  }
}

/** Parses two lists of `[price, size]` as Kalshi prints them. A list is absent if its side is empty. Returns undefined
 *  if a level cannot be parsed. */
export const levelsOf = (yes: unknown, no: unknown): Levels | undefined =>
  signedLevels(yes ?? [], no ?? [], (level) => (Array.isArray(level) ? [level[0], level[1]] : [undefined, undefined]))
