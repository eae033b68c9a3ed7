// The socket that is to take the place of another, and the snapshots that it owes until it may: until then the old one
// stays, so that nothing is missed in between. It also shows whether the old one still told anything.

import type { GapLine } from '../../../workers/segment/segment-lines.ts'
import { type Unheard, unheardGap } from './gap-lines.ts'
import type { GapTracker } from './gap-tracker.ts'
import type { SocketSession } from './socket-session.ts'
import type { BookId } from './venue-protocol.ts'

/** How long a change that a snapshot tells of may take to come from the other socket. */
const GRACE_MS = 1_000

export class Standby {
  session: SocketSession | undefined
  readonly #owed = new Set<BookId>()
  readonly #given = new Set<BookId>()
  readonly #unheard = new Map<BookId, Unheard>()
  #ofMax = 0
  #openedMs = Number.POSITIVE_INFINITY
  #dueMs = Number.POSITIVE_INFINITY

  /** Books whose snapshot has not come. */
  get owed(): ReadonlySet<BookId> {
    return this.#owed
  }

  /** Its own snapshot of the book came: that of the other socket says nothing of its subscription. */
  has(book: BookId): boolean {
    return this.isOpen && this.#given.has(book)
  }

  get isOpen(): boolean {
    return this.session?.isOpen === true
  }

  /** It is open: it owes what the other one has, until `dueMs`. Times are ms of the monotonic clock. */
  owe(books: Iterable<BookId>, openedMs: number, dueMs: number): void {
    this.#openedMs = openedMs
    for (const book of books) this.#owed.add(book)
    this.#ofMax = Math.max(this.#ofMax, this.#owed.size)
    this.#dueMs = Math.min(this.#dueMs, dueMs)
  }

  /** The other socket was sent a snapshot. */
  owesToo(book: BookId): void {
    if (!this.isOpen || this.#given.has(book)) return
    this.#owed.add(book)
    this.#ofMax = Math.max(this.#ofMax, this.#owed.size)
  }

  /** A snapshot came, or is of no interest any more. True where that was the last. */
  paid(book: BookId): boolean {
    this.#given.add(book)
    return this.#owed.delete(book) && this.#owed.size === 0
  }

  /** Its first snapshot of a book is not the book that the other socket told. */
  differs(book: BookId, unheard: Unheard): void {
    if (this.#owed.has(book)) this.#unheard.set(book, unheard)
  }

  /** Whether the other socket has told nothing since this one was opened, though books have changed. */
  showsFrozen(other: SocketSession | undefined): boolean {
    const heardMs = other?.liveness?.lastDataMs
    return this.#unheard.size > 0 && heardMs !== undefined && heardMs < this.#openedMs
  }

  /** The other socket may still tell what it has not told. */
  giveGrace(nowMs: number): void {
    this.#dueMs = nowMs + GRACE_MS
  }

  /** What the other one, which is frozen, did not tell. */
  gapsOf(other: SocketSession, tracker: GapTracker): GapLine[] {
    if (!this.showsFrozen(other)) return []
    const { heardUntilMs: fromMs, connectionId: connection } = other
    return [...this.#unheard].flatMap(([book, unheard]) => {
      const market = tracker.marketOf(book)
      return market === null ? [] : [unheardGap(tracker.venue, market, book, { ...unheard, fromMs, connection })]
    })
  }

  isLate(nowMs: number): boolean {
    return nowMs >= this.#dueMs
  }

  /** Some books have no snapshot to send. A socket that sent none at all is worse than the old one. */
  get sentNone(): boolean {
    return this.#ofMax > 0 && this.#owed.size >= this.#ofMax
  }

  /** The session and what it owes, which is not waited for any more. */
  take(): { session: SocketSession | undefined; owed: BookId[] } {
    const taken = { session: this.session, owed: [...this.#owed] }
    this.session = undefined
    this.#owed.clear()
    this.#given.clear()
    this.#unheard.clear()
    this.#ofMax = 0
    this.#openedMs = Number.POSITIVE_INFINITY
    this.#dueMs = Number.POSITIVE_INFINITY
    return taken
  }
}
