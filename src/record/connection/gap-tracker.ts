// Tracks each book of a connection: whether a snapshot has established it, and its open gap. Returns one gap line,
// when the gap closes. Pure.

import type { Venue } from '../../../storage/venue.ts'
import { AFTER, isWhole, type Trust } from '../../../workers/evidence/trust-table.ts'
import type { GapLine, GapReason } from '../../../workers/segment/segment-lines.ts'
import { CLOCKS_AGREE_MS } from '../status/recorder-stats.ts'
import { closedGap, type GapEnd, gapOf, type MissedChange, missingBefore, type OpenGap } from './gap-lines.ts'
import type { BookId, Loss, SnapshotSeen } from './venue-protocol.ts'

/** Last-seen time of a book (`untilMs`, Unix ms): the time of its last message on an earlier recorder or another
 *  connection, or of its last stored record. The gap since then has the reason `restart`, unless `reason` is set.
 *  `market` is null if the market is not known. */
export type LastSeen = {
  market: string | null
  untilMs: number
  hash?: string
  reason?: GapReason
  /** Start of an additional gap before `untilMs`, if this machine's clock was ahead, Unix ms. */
  beforeMs?: number | undefined
  /** How far the venue's clock was ahead of this machine's, ms. */
  aheadMs?: number
}

/** A message of a book that is not a snapshot. Times are Unix ms; `venueMs` is NaN without a venue time. */
type Changed = { market: string; hash: string | undefined; venueMs: number; receivedMs: number }

/** A loss on a socket: messages are missing since `fromMs`, and the loss was detected at `nowMs`. Snapshots after
 *  `writtenMs` will never be on disk. Unix ms. */
export type LostAt = { fromMs: number; nowMs: number; connection: string; writtenMs?: number }

/** The state of a socket's books in its segment: starts of open gaps (`lost`), of additional gaps before them
 *  (`before`), and times of snapshots; Unix ms by book. */
type Carried = {
  books: BookId[]
  lost: Record<BookId, number>
  before: Record<BookId, number>
  snapshots: Record<BookId, number>
}

/** The arrival of a snapshot. `nowMs` is the arrival time, `storedMs` the latest time that the snapshot may be stored
 *  with, and `flushedMs` the time of the last complete flush to disk; all are Unix ms. `connection` is the socket that
 *  received it. */
type SnapshotAt = { nowMs: number; storedMs: number; connection: string; flushedMs?: number }

type BookState = {
  /** The market; null until a message names it, because a token may be configured without its market. */
  market: string | null
  /** Trust in the book, according to the lines in the segments. A book with the trust `unknown` cannot miss
   *  messages. */
  trust: Trust
  /** Hash of the last change or snapshot. If a gap is open, the last hash before the gap. */
  hash: string | undefined
  gap: OpenGap | undefined
  /** Latest time that the last snapshot may be stored with, Unix ms. The snapshot would end a gap that starts
   *  earlier. */
  snapshotMs: number
  /** Start of the gap that the last snapshot closed, Unix ms. The snapshot is stored with no earlier time. */
  behindGapMs: number
  /** `snapshotMs` of the last snapshot that is on disk. */
  writtenSnapshotMs: number
  /** The socket that received the last snapshot; undefined if it came from REST. */
  snapshotBy: string | undefined
}

/** A message within this time after a snapshot may still change the time that the snapshot is stored with, because both
 *  are loaded together. */
export const FOLLOWS_MS = 500

const NEVER = Number.NEGATIVE_INFINITY

/** Returns the first ms in which a gap of a book may begin. */
const notBefore = ({ snapshotMs }: Pick<BookState, 'snapshotMs'>): number => Math.floor(snapshotMs) + 1

export class GapTracker {
  readonly venue: Venue
  readonly #clockAheadMs: () => number
  readonly #states = new Map<BookId, BookState>()
  /** Books that were removed since the last complete flush, with the times of their removal, Unix ms. */
  readonly #removed = new Map<BookId, { state: BookState; nowMs: number }>()
  #whole = 0

  /** `clockAheadMs` returns how far this machine's clock is ahead of the venue's, ms. */
  constructor(venue: Venue, clockAheadMs = () => 0) {
    this.venue = venue
    this.#clockAheadMs = clockAheadMs
  }

  get books(): number {
    return this.#states.size
  }

  /** Number of books with a snapshot and no missing message since. */
  get whole(): number {
    return this.#whole
  }

  trustOf(book: BookId): Trust {
    return this.#states.get(book)?.trust ?? 'unknown'
  }

  /** Notes that the messages of a book contradict the state of the book. */
  contradicted(book: BookId): void {
    const state = this.#states.get(book)
    if (state !== undefined) this.#learn(state, 'contradiction')
  }

  marketOf(book: BookId): string | null {
    return this.#states.get(book)?.market ?? null
  }

  /** Returns the missed changes that a snapshot with this hash proves. Returns undefined unless the book is whole and
   *  the hash differs from the last hash of the book. */
  missed(book: BookId, hash: string | undefined, nowMs: number): MissedChange | undefined {
    const state = this.#states.get(book)
    if (state === undefined || !isWhole(state.trust) || state.gap !== undefined) return undefined
    if (state.hash === undefined || hash === undefined || state.hash === hash) return undefined
    // If the last snapshot came from REST, the socket may have missed messages before it.
    const notBeforeMs = state.snapshotBy === undefined ? NEVER : notBefore(state)
    return { toMs: nowMs, hash, notBeforeMs }
  }

  /** Returns these books, with the starts of their open gaps (`lost`) and of any additional gaps before the open gaps
   *  (`before`), Unix ms. */
  carried(of: Iterable<BookId>): Carried {
    const carried: Carried = { books: [...of], lost: {}, before: {}, snapshots: {} }
    for (const book of carried.books) {
      const gap = this.#states.get(book)?.gap
      if (gap === undefined) continue
      carried.lost[book] = Math.floor(gap.fromMs)
      if (gap.beforeMs !== undefined) carried.before[book] = Math.floor(gap.beforeMs)
    }
    return carried
  }

  /** Returns the same as `carried`, with the times of snapshots since `untilMs` (`snapshots`). No message on the socket
   *  `connection` is missing up to `untilMs`. */
  carriedSince(of: Iterable<BookId>, untilMs: number, connection: string): Carried {
    const carried = this.carried(of)
    for (const book of carried.books) {
      const state = this.#states.get(book)
      if (state === undefined || state.gap !== undefined || !(state.snapshotMs >= untilMs)) continue
      carried.snapshots[book] = Math.floor(state.snapshotMs)
      if (state.snapshotBy !== connection) carried.before[book] = Math.floor(untilMs)
    }
    return carried
  }

  /** Adds a book. If `before` is given, the book has an open gap since then. */
  add(book: BookId, market: string | null, connection: string, before?: LastSeen): void {
    if (this.#states.has(book)) return
    const state: BookState = {
      ...{ market, trust: 'unknown' as const, hash: undefined, gap: undefined, snapshotBy: undefined },
      ...{ snapshotMs: NEVER, behindGapMs: NEVER, writtenSnapshotMs: NEVER },
    }
    this.#states.set(book, state)
    if (before === undefined) return
    state.market ??= before.market
    this.#learn(state, 'gap')
    state.hash = before.hash
    const { reason = 'restart', untilMs: fromMs, beforeMs } = before
    state.gap = { reason, scope: 'connection', fromMs, beforeMs, connection }
  }

  /** Returns the last-seen times of books that move to another connection. Leaves out books without any message. */
  moving(books: readonly BookId[], untilMs: number): Map<BookId, LastSeen> {
    const lastSeen = new Map<BookId, LastSeen>()
    for (const book of books) {
      const state = this.#states.get(book)
      if (state === undefined || state.trust === 'unknown') continue
      const fromMs = Math.max(untilMs, notBefore(state))
      const beforeMs = state.snapshotBy === undefined ? untilMs : fromMs
      lastSeen.set(book, { market: state.market, untilMs: fromMs, beforeMs, reason: 'resync' })
    }
    return lastSeen
  }

  /** Removes a book. Returns its open gap, which no snapshot has closed. */
  remove(book: BookId, nowMs: number): GapLine[] {
    const state = this.#states.get(book)
    if (state === undefined) return []
    this.#states.delete(book)
    this.#removed.set(book, { state, nowMs })
    if (state.trust !== 'unknown') this.#learn(state, 'gap')
    return this.#close(book, state, nowMs, { closed_by: 'end' })
  }

  /** Notes that all lines are on disk. */
  flushed(): void {
    this.#removed.clear()
  }

  /** Returns the gaps of the books that were removed since the last complete flush, because their last lines were
   *  dropped. Leaves out books that were added again, which already have a gap since their last stored record. */
  loseRemoved(loss: Loss, at: readonly LostAt[]): GapLine[] {
    const removed = [...this.#removed].filter(([book]) => !this.#states.has(book))
    const gaps = removed.flatMap(([book, { state, nowMs }]) => {
      this.#states.set(book, state)
      for (const lost of at) this.lose(book, loss, lost)
      return this.remove(book, nowMs)
    })
    this.#removed.clear()
    return gaps
  }

  /** Marks a book as lost from `fromMs` on. If several losses overlap, keeps the reason of the first and the earliest
   *  start. A book without any message misses nothing. After a sequence hole the book continues at once, at `nowMs`,
   *  with changes that must not be applied to its earlier state. In this case returns the gap, which must be written
   *  before these changes. */
  lose(
    book: BookId,
    loss: Loss,
    { fromMs: sinceMs, nowMs, connection, writtenMs = Number.POSITIVE_INFINITY }: LostAt,
  ): GapLine[] {
    const state = this.#states.get(book)
    if (state === undefined) return []
    state.snapshotMs = [state.snapshotMs, state.writtenSnapshotMs].find((ms) => ms <= writtenMs) ?? NEVER
    const fromMs = Math.max(sinceMs, notBefore(state))
    // A snapshot from another socket or REST proves nothing about the messages that this socket should have received
    // before it.
    const isOwn = state.snapshotBy === connection
    const beforeMs = missingBefore(fromMs, sinceMs, isOwn ? this.#clockAheadMs() : Number.POSITIVE_INFINITY)
    if (state.trust === 'unknown') return []
    this.#learn(state, 'gap')
    if (state.gap !== undefined) state.gap.fromMs = Math.min(state.gap.fromMs, fromMs)
    if (state.gap !== undefined || state.market === null) return []
    state.gap = { ...loss, fromMs, connection, beforeMs }
    if (loss.reason !== 'sequence_hole') return []
    const lines = this.#close(book, state, nowMs, { closed_by: 'end' })
    state.gap = { reason: 'resync', scope: 'book', fromMs: Math.max(nowMs, fromMs), connection, continues: true }
    return lines
  }

  /** Notes a snapshot, which `connection` received at `nowMs`. The snapshot is stored with the time `storedMs` at the
   *  latest. Returns the gap that the snapshot closes; the gap must be written before the snapshot. */
  snapshot(book: BookId, seen: SnapshotSeen, at: SnapshotAt): GapLine[] {
    const { nowMs, storedMs, connection, flushedMs = nowMs } = at
    const { market, by, hash, seq } = seen
    const state = this.#states.get(book)
    if (state === undefined) return []
    state.market = market
    this.#learn(state, 'snapshot')
    const isSame = by === 'snapshot' && hash !== undefined && hash === state.hash
    state.hash = hash
    const closedBy = { closed_by: isSame ? 'same_hash' : by } as const
    const proof = { ...(seq === undefined ? {} : { closed_seq: seq }), ...(hash ? { closed_hash: hash } : {}) }
    // This machine's clock may be less ahead than it seems. The gap must not end before the snapshot's stored time.
    const lines = this.#close(book, state, Math.max(nowMs, storedMs), { ...closedBy, ...proof })
    if (state.snapshotMs <= flushedMs) state.writtenSnapshotMs = state.snapshotMs
    state.behindGapMs = lines.at(-1)?.msg.from ?? NEVER
    state.snapshotMs = Math.max(storedMs, state.behindGapMs)
    state.snapshotBy = by === 'rest_book' ? undefined : connection
    return lines
  }

  /** Notes a message of the book that is not a snapshot, at `nowMs`: a change with the hash after it, or a trade
   *  without a hash. Returns the part of an open gap up to `nowMs`. This part must be written before the message,
   *  because the change does not apply to the book before the gap. `venueMs` is the venue's time, NaN without one;
   *  `receivedMs` is the arrival. */
  changed(book: BookId, { market, hash, venueMs, receivedMs }: Changed, nowMs: number): GapLine[] {
    const state = this.#states.get(book)
    if (state === undefined) return []
    if (venueMs < state.snapshotMs && receivedMs < state.snapshotMs + FOLLOWS_MS)
      state.snapshotMs = Math.max(venueMs, state.behindGapMs)
    state.market ??= market
    this.#learn(state, 'record')
    const { gap } = state
    if (gap !== undefined && gap.continues !== true) return this.#closePart(book, state, gap, nowMs)
    // Keeps the hash before a gap, because that hash shows whether the book changed during the gap.
    if (hash !== undefined && gap === undefined) state.hash = hash
    return []
  }

  #learn(state: BookState, evidence: 'snapshot' | 'record' | 'gap' | 'contradiction'): void {
    const before = state.trust
    state.trust = AFTER[evidence][before]
    this.#whole += Number(isWhole(state.trust)) - Number(isWhole(before))
  }

  #closePart(book: BookId, state: BookState, gap: OpenGap, nowMs: number): GapLine[] {
    const lines = this.#close(book, state, nowMs, { closed_by: 'end' })
    const { reason, scope, connection, fromMs } = gap
    state.gap = { reason, scope, connection, fromMs: Math.max(fromMs, nowMs), continues: true }
    return lines
  }

  /** Closes and returns all open gaps at the end of the connection. */
  end(nowMs: number): GapLine[] {
    return [...this.#states].flatMap(([book, state]) => this.#close(book, state, nowMs, { closed_by: 'end' }))
  }

  #close(book: BookId, state: BookState, nowMs: number, closed: GapEnd): GapLine[] {
    const { gap, market } = state
    if (gap === undefined || market === null) return []
    state.gap = undefined
    const isBehind = this.#clockAheadMs() < -CLOCKS_AGREE_MS
    return closedGap(gap, nowMs, closed, isBehind).map((msg) => gapOf(this.venue, market, book, msg))
  }
}
