// The standby socket that is to replace the primary one, and the snapshots that it still owes. The primary stays until
// they have arrived, so that no message is missed. The standby's snapshots also show whether the primary is frozen.

import type { GapLine } from '../../../workers/segment/segment-lines.ts'
import { type MissedChange, missedGap } from './gap-lines.ts'
import type { GapTracker } from './gap-tracker.ts'
import type { SocketSession } from './socket-session.ts'
import type { BookId } from './venue-protocol.ts'

/** How long a change that a snapshot shows may take to arrive on the primary. */
const GRACE_MS = 1_000

export class Standby {
  session: SocketSession | undefined
  readonly #owed = new Set<BookId>()
  readonly #given = new Set<BookId>()
  readonly #missed = new Map<BookId, MissedChange>()
  #ofMax = 0
  #openedMs = Number.POSITIVE_INFINITY
  #dueMs = Number.POSITIVE_INFINITY

  /** Books whose snapshot has not arrived. */
  get owed(): ReadonlySet<BookId> {
    return this.#owed
  }

  /** Whether the standby has received its own snapshot of the book. A snapshot on the primary proves nothing about the
   *  standby's subscription. */
  has(book: BookId): boolean {
    return this.isOpen && this.#given.has(book)
  }

  get isOpen(): boolean {
    return this.session?.isOpen === true
  }

  /** Notes that the standby is open since `openedMs`, ms of the monotonic clock. For `snapshotMs` it owes the snapshots
   *  of the primary's books. */
  owe(books: Iterable<BookId>, openedMs: number, snapshotMs: number): void {
    this.#openedMs = openedMs
    for (const book of books) this.#owed.add(book)
    this.#ofMax = Math.max(this.#ofMax, this.#owed.size)
    this.#dueMs = Math.min(this.#dueMs, openedMs + snapshotMs)
  }

  /** Makes the standby owe this book too, because the primary received a snapshot of it after the standby had opened.
   *  Does nothing if the standby has already sent its own snapshot. */
  owesToo(book: BookId): void {
    if (!this.isOpen || this.#given.has(book)) return
    this.#owed.add(book)
    this.#ofMax = Math.max(this.#ofMax, this.#owed.size)
  }

  /** Notes that a snapshot has arrived, or is no longer needed. Returns true if it was the last one owed. */
  paid(book: BookId): boolean {
    this.#given.add(book)
    return this.#owed.delete(book) && this.#owed.size === 0
  }

  /** Notes that the standby's first snapshot of a book differs from the primary's book. */
  differs(book: BookId, missed: MissedChange): void {
    if (this.#owed.has(book)) this.#missed.set(book, missed)
  }

  /** Whether the primary has received no data since the standby was opened, although books have changed. */
  showsFrozen(other: SocketSession | undefined): boolean {
    const dataMs = other?.liveness?.lastDataMs
    return this.#missed.size > 0 && dataMs !== undefined && dataMs < this.#openedMs
  }

  /** Gives the primary a moment to receive the changes that it has missed so far. */
  giveGrace(nowMs: number): void {
    this.#dueMs = nowMs + GRACE_MS
  }

  /** Returns the gaps of a frozen primary: the changes that it did not receive. */
  gapsOf(other: SocketSession, tracker: GapTracker): GapLine[] {
    if (!this.showsFrozen(other)) return []
    const { completeUntilMs: fromMs, connectionId: connection } = other
    return [...this.#missed].flatMap(([book, missed]) => {
      const market = tracker.marketOf(book)
      return market === null ? [] : [missedGap(tracker.venue, market, book, { ...missed, fromMs, connection })]
    })
  }

  isLate(nowMs: number): boolean {
    return nowMs >= this.#dueMs
  }

  /** Whether the standby has received no snapshot at all: then it must not replace the primary. It may replace the
   *  primary if only single books have no snapshot. */
  get sentNone(): boolean {
    return this.#ofMax > 0 && this.#owed.size >= this.#ofMax
  }

  /** Removes and returns the session, with the books that it still owes, and those that it has given. */
  take(): { session: SocketSession | undefined; owed: BookId[]; given: BookId[] } {
    const taken = { session: this.session, owed: [...this.#owed], given: [...this.#given] }
    this.session = undefined
    this.#owed.clear()
    this.#given.clear()
    this.#missed.clear()
    this.#ofMax = 0
    this.#openedMs = Number.POSITIVE_INFINITY
    this.#dueMs = Number.POSITIVE_INFINITY
    return taken
  }
}
