// Holds the books of a connection: the state of each, and the deadline for its snapshot.

import { isWhole } from '../../../workers/evidence/trust-table.ts'
import type { GapLine } from '../../../workers/segment/segment-lines.ts'
import type { ConnectionConfig } from '../config/venue-config.ts'
import type { VenueStats } from '../status/recorder-stats.ts'
import { GapTracker, type LastSeen, type LostAt } from './gap-tracker.ts'
import type { BookId, Loss, VenueProtocol } from './venue-protocol.ts'

/** A missing snapshot is requested again after this multiple of `snapshotMs`. */
const AGAIN_TIMES = 8

/** A socket that loses books, and its segment. Times are Unix ms. */
type Loser = {
  completeUntilMs: number
  nowMs: number
  /** The segment is on the disk up to this time, Unix ms: snapshots after it are lost. */
  writtenMs?: number
  connectionId: string
  gap(line: GapLine): unknown
  state(name: string, fields: Record<string, unknown>): void
}

export class CarriedBooks {
  readonly tracker: GapTracker
  /** Longest wait for the first snapshot of a subscription. */
  readonly #snapshotMs: number
  readonly #stats: VenueStats
  readonly #ids = new Set<BookId>()
  /** Deadlines of the books that wait for a snapshot, ms of the monotonic clock. */
  readonly #due = new Map<BookId, number>()
  /** Books whose first deadline has passed. A venue may never send the snapshot of a dead market. */
  readonly #late = new Set<BookId>()

  constructor({ venue }: VenueProtocol, { snapshotMs }: Pick<ConnectionConfig, 'snapshotMs'>, stats: VenueStats) {
    this.tracker = new GapTracker(venue, () => stats.messageAge.clockAheadMs)
    this.#snapshotMs = snapshotMs
    this.#stats = stats
  }

  get ids(): ReadonlySet<BookId> {
    return this.#ids
  }

  /** Number of books that wait for a snapshot and whose first deadline has not passed. */
  get waiting(): number {
    return this.#due.size - this.#late.size
  }

  /** Books with a snapshot and no missing message since. */
  get whole(): BookId[] {
    return [...this.#ids].filter((book) => isWhole(this.tracker.trustOf(book)))
  }

  /** Adds books. Returns the books that the connection did not have before. */
  add(
    books: readonly BookId[],
    market: string | null,
    connection: string,
    lastSeen?: ReadonlyMap<BookId, LastSeen>,
  ): BookId[] {
    const added = books.filter((book) => !this.#ids.has(book))
    for (const book of added) {
      this.#ids.add(book)
      this.tracker.add(book, market, connection, lastSeen?.get(book))
    }
    return added
  }

  /** Removes books. Returns the removed books that the connection had, and their open gaps, closed at `nowMs`. */
  remove(books: readonly BookId[], nowMs: number): { removed: BookId[]; gaps: GapLine[] } {
    const removed = books.filter((book) => this.#ids.delete(book))
    for (const book of removed) this.met(book)
    const gaps = removed.flatMap((book) => this.tracker.remove(book, nowMs))
    return { removed, gaps }
  }

  /** Starts the snapshot deadlines of these books at `nowMs`, ms of the monotonic clock. */
  expect(books: Iterable<BookId>, nowMs: number): void {
    for (const book of books) {
      this.#late.delete(book)
      this.#due.set(book, nowMs + this.#snapshotMs)
    }
  }

  /** Starts the deadlines of all books, for a new socket. */
  expectAll(nowMs: number): void {
    this.#due.clear()
    this.#late.clear()
    this.expect(this.#ids, nowMs)
  }

  /** Notes that the primary socket has received the snapshot of a book, or no longer needs this snapshot. */
  met(book: BookId): void {
    this.#due.delete(book)
    this.#late.delete(book)
  }

  /** Returns the books whose snapshot did not come in time, and counts them. Each gets a new, later deadline. */
  overdue(nowMs: number): BookId[] {
    const missing = [...this.#due].filter(([, dueMs]) => dueMs <= nowMs).map(([book]) => book)
    for (const book of missing) {
      this.#late.add(book)
      this.#due.set(book, nowMs + AGAIN_TIMES * this.#snapshotMs)
    }
    this.#stats.snapshotsMissing += missing.length
    return missing
  }

  /** Marks books as lost since the last message that `session` received. Returns the lost books that the connection
   *  has. */
  lose(books: Iterable<BookId>, loss: Loss, session: Loser): BookId[] {
    const lost = [...books].filter((book) => this.#ids.has(book))
    const at = lostAt(session)
    const fromMs = Math.min(at.fromMs, loss.sinceMs ?? at.fromMs)
    for (const book of lost) for (const gap of this.tracker.lose(book, loss, { ...at, fromMs })) session.gap(gap)
    session.state('lost', this.tracker.carried(lost))
    return lost
  }
  /** Marks all books as lost since the last flush, because all later lines were dropped. Returns the gaps of books
   *  that were removed since that flush. */
  overflow(sessions: readonly Loser[]): GapLine[] {
    const loss = { reason: 'overflow', scope: 'connection' } as const
    for (const session of sessions) this.lose(this.#ids, loss, session)
    return this.tracker.loseRemoved(loss, sessions.map(lostAt))
  }

  /** Called when a standby ends. Marks as lost the books whose snapshot only the standby has received: the primary
   *  socket may not receive their messages yet. `state` writes to the segment of the primary. */
  loseUnmet(books: ReadonlySet<BookId>, standby: Loser, state: Loser['state']): void {
    const { completeUntilMs, nowMs, connectionId } = standby
    const lost = [...books].filter((book) => this.#due.has(book))
    if (lost.length === 0) return
    const loss = { reason: 'disconnect', scope: 'connection' } as const
    this.lose(lost, loss, { completeUntilMs, nowMs, connectionId, gap: () => undefined, state })
  }
}

const lostAt = ({ completeUntilMs, nowMs, connectionId, writtenMs = Number.POSITIVE_INFINITY }: Loser): LostAt => ({
  ...{ fromMs: completeUntilMs, nowMs, connection: connectionId, writtenMs },
})
