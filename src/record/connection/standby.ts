// The standby socket that is to replace the primary one, and the snapshots that it still owes. The primary stays until
// they have arrived, so that no message is missed. The standby's snapshots also show whether the primary is frozen.

import type { GapLine } from '../../../workers/segment/segment-lines.ts'
import { type MissedChange, missedGap } from './gap-lines.ts'
import type { GapTracker } from './gap-tracker.ts'
import type { SocketSession } from './socket-session.ts'
import type { BookId } from './venue-protocol.ts'

/** How long the primary may still receive changes that the last snapshots of the standby already contain, ms. */
const GRACE_MS = 1_000

export class Standby {
  session: SocketSession | undefined
  readonly #owed = new Set<BookId>()
  readonly #given = new Set<BookId>()
  readonly #missed = new Map<BookId, MissedChange & { monoMs: number }>()
  #hasPaid = false
  #dueMs = Number.POSITIVE_INFINITY

  /** Whether the standby has received its own snapshot of the book. A snapshot on the primary proves nothing about the
   *  standby's subscription. */
  has(book: BookId): boolean {
    return this.isOpen && this.#given.has(book)
  }

  /** Books whose snapshot has arrived on the standby. */
  get given(): ReadonlySet<BookId> {
    return this.#given
  }

  get isOpen(): boolean {
    return this.session?.isOpen === true
  }

  /** Notes that the standby is open at `nowMs`, ms of the monotonic clock. It must receive the snapshots of these
   *  books of the primary within `snapshotMs`. */
  owe(books: Iterable<BookId>, nowMs: number, snapshotMs: number): void {
    for (const book of books) this.#owed.add(book)
    this.#dueMs = nowMs + snapshotMs
    this.#endIfPaid(nowMs)
  }

  /** Makes the standby owe this book too, because the primary received a snapshot of it after the standby had opened.
   *  Does nothing if the standby has already sent its own snapshot. */
  owesToo(book: BookId): void {
    if (!this.isOpen || this.#given.has(book)) return
    this.#owed.add(book)
  }

  /** Notes that a snapshot has arrived at `nowMs`, ms of the monotonic clock. `missed` is set if this first snapshot
   *  of the book on the standby differs from the primary's book. */
  paid(book: BookId, missed: MissedChange | undefined, nowMs: number): void {
    this.#given.add(book)
    if (!this.#owed.delete(book)) return
    this.#hasPaid = true
    if (missed !== undefined) this.#missed.set(book, { ...missed, monoMs: nowMs })
    this.#endIfPaid(nowMs)
  }

  /** Forgets a book that is no longer recorded. */
  forget(book: BookId, nowMs: number): void {
    for (const known of [this.#given, this.#missed]) known.delete(book)
    if (this.#owed.delete(book)) this.#endIfPaid(nowMs)
  }

  /** Returns gaps for the changes that the standby's snapshots show and the primary (`other`) missed: the primary has
   *  received no data since these snapshots. */
  gapsOf(other: SocketSession, tracker: GapTracker): GapLine[] {
    const { completeUntilMs: fromMs, connectionId: connection, liveness } = other
    const dataMs = liveness?.lastDataMs ?? Number.POSITIVE_INFINITY
    return [...this.#missed].flatMap(([book, { monoMs, ...missed }]) => {
      const market = tracker.marketOf(book)
      if (market === null || dataMs >= monoMs) return []
      return [missedGap(tracker.venue, market, book, { ...missed, fromMs, connection })]
    })
  }

  #endIfPaid(nowMs: number): void {
    if (this.#owed.size === 0) this.#dueMs = Math.min(this.#dueMs, nowMs + GRACE_MS)
  }

  isLate(nowMs: number): boolean {
    return nowMs >= this.#dueMs
  }

  /** Whether the standby owes snapshots and has received none of them. It must not replace the primary then; if only
   *  some snapshots are missing, it may. */
  get sentNone(): boolean {
    return this.#owed.size > 0 && !this.#hasPaid
  }

  /** Removes and returns the session, the books whose snapshots it still owes, and the books whose snapshots came. */
  take(): { session: SocketSession | undefined; owed: BookId[]; given: Set<BookId> } {
    const taken = { session: this.session, owed: [...this.#owed], given: new Set(this.#given) }
    this.session = undefined
    this.#owed.clear()
    this.#given.clear()
    this.#missed.clear()
    this.#hasPaid = false
    this.#dueMs = Number.POSITIVE_INFINITY
    return taken
  }
}
