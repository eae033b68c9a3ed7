// The books that a connection carries: what is known of each, and until when its snapshot is waited for.

import type { GapLine } from '../../../workers/segment/segment-lines.ts'
import type { VenueFigures } from '../status/recorder-figures.ts'
import { GapTracker, type Heard } from './gap-tracker.ts'
import { SnapshotDeadlines } from './snapshot-deadlines.ts'
import type { BookId, Loss, VenueProtocol } from './venue-protocol.ts'

export type CarriedLimits = {
  /** How long the first book of a subscription may take, and how long the next attempt to get it. */
  snapshotMs: number
  snapshotAgainMs: number
}

/** The socket that lost them, Unix ms, and its segment. */
export type Loser = {
  heardUntilMs: number
  nowMs: number
  /** Snapshots that came later are lost, too. */
  writtenMs?: number
  connectionId: string
  gap(line: GapLine): unknown
  state(name: string, fields: Record<string, unknown>): void
}

export class CarriedBooks {
  readonly tracker: GapTracker
  readonly #limits: CarriedLimits
  readonly #figures: VenueFigures
  readonly #deadlines = new SnapshotDeadlines()
  readonly #ids = new Set<BookId>()

  constructor({ venue }: VenueProtocol, limits: CarriedLimits, figures: VenueFigures) {
    this.tracker = new GapTracker(venue, () => figures.messageAge.clockAheadMs)
    this.#limits = limits
    this.#figures = figures
  }

  get ids(): ReadonlySet<BookId> {
    return this.#ids
  }

  /** Books whose deadline is still to come. */
  get waiting(): number {
    return this.#deadlines.waiting
  }

  get established(): BookId[] {
    return [...this.#ids].filter((book) => this.tracker.isEstablished(book))
  }

  /** Those that it did not have. */
  add(
    books: readonly BookId[],
    market: string | null,
    connection: string,
    heard?: ReadonlyMap<BookId, Heard>,
  ): BookId[] {
    const added = books.filter((book) => !this.#ids.has(book))
    for (const book of added) {
      this.#ids.add(book)
      this.tracker.add(book, market, connection, heard?.get(book))
    }
    return added
  }

  /** Those that it had, and the gaps that they leave with. */
  remove(books: readonly BookId[], nowMs: number): { removed: BookId[]; gaps: GapLine[] } {
    const removed = books.filter((book) => this.#ids.delete(book))
    for (const book of removed) this.#deadlines.met(book)
    const gaps = removed.flatMap((book) => this.tracker.remove(book, nowMs))
    return { removed, gaps }
  }

  /** Their snapshots are waited for from now on, ms of the monotonic clock. */
  expect(books: Iterable<BookId>, nowMs: number): void {
    for (const book of books) this.#deadlines.expect(book, nowMs + this.#limits.snapshotMs)
  }

  /** A new socket: all are waited for. */
  expectAll(nowMs: number): void {
    this.#deadlines.clear()
    this.expect(this.#ids, nowMs)
  }

  met(book: BookId): void {
    this.#deadlines.met(book)
  }

  /** Those whose snapshot did not come in time. */
  overdue(nowMs: number): BookId[] {
    const missing = this.#deadlines.overdue(nowMs, this.#limits.snapshotAgainMs)
    this.#figures.snapshotsMissing += missing.length
    return missing
  }

  /** Each of these that it carries is lost since the last that `session` heard. Those that it carries. */
  lose(books: Iterable<BookId>, loss: Loss, session: Loser): BookId[] {
    const lost = [...books].filter((book) => this.#ids.has(book))
    const { heardUntilMs, nowMs, writtenMs = Number.POSITIVE_INFINITY, connectionId: connection } = session
    const fromMs = Math.min(heardUntilMs, loss.sinceMs ?? heardUntilMs)
    for (const book of lost) {
      for (const gap of this.tracker.lose(book, loss, { fromMs, nowMs, connection, writtenMs })) session.gap(gap)
    }
    session.state('lost', this.tracker.carried(lost))
    return lost
  }
}
