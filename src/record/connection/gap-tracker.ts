// What is known of each book of a connection: whether a snapshot established it, and the gap that is open. A gap is
// told once, when it is closed. Pure.

import type { Venue } from '../../../storage/venue.ts'
import { AFTER, type Trust } from '../../../workers/evidence/trust-table.ts'
import type { GapLine, GapReason } from '../../../workers/segment/segment-lines.ts'
import { CLOCKS_AGREE_MS } from '../status/recorder-figures.ts'
import { gapOf, missingBefore, type Unheard } from './gap-lines.ts'
import type { BookId, Loss, SnapshotSeen } from './venue-protocol.ts'

/** When a recorder before this one, or another connection, received the last message of a book, or when its last stored
 *  record was: Unix ms; its market where that is known. What is missing since then is a gap `restart`, unless `reason`
 *  gives another. */
export type Heard = {
  market: string | null
  untilMs: number
  hash?: string
  reason?: GapReason
  /** What may be missing before `untilMs`, where this machine's clock was ahead. */
  beforeMs?: number | undefined
  /** By how much the venue's clock was ahead of this machine's, ms. */
  aheadMs?: number
}

/** What was said of a book beside a snapshot. */
export type Changed = { market: string; hash: string | undefined; venueMs: number; receivedMs: number }

/** Unix ms; what is missing is missing since `fromMs`, and that is known at `nowMs`. Snapshots after `writtenMs` are not
 *  on the disk and never will be. */
export type LostAt = { fromMs: number; nowMs: number; connection: string; writtenMs?: number }

/** What a segment says of the books of its socket; Unix ms by book. */
export type Carried = {
  books: BookId[]
  lost: Record<BookId, number>
  before: Record<BookId, number>
  snapshots: Record<BookId, number>
}

/** When a snapshot came, the latest time that it may be stored with, and when all lines were last on the disk, Unix ms;
 *  the socket that gave it. */
export type SnapshotAt = { nowMs: number; storedMs: number; connection: string; flushedMs?: number }

/** `goesOn`: a part of it is reported, since other things than a snapshot followed. `beforeMs`: messages may be missing
 *  from then on, before the last snapshot; `fromMs` is after that snapshot. */
type OpenGap = Loss & { fromMs: number; connection: string; goesOn?: boolean; beforeMs?: number | undefined }

type BookState = {
  /** Null until a message names it: a token may be named without its market. */
  market: string | null
  /** By what is in the segments: an unknown book has nothing to miss. */
  trust: Trust
  /** Of the last change or snapshot before the open gap. */
  hash: string | undefined
  gap: OpenGap | undefined
  /** The latest time that its last snapshot may be stored with, Unix ms. A gap before that would end with it. */
  snapshotMs: number
  /** Where the gap that it closed begins, Unix ms: the snapshot is stored with no earlier time. */
  behindGapMs: number
  /** Of the last one that the disk took. */
  writtenSnapshotMs: number
  /** The socket that sent the last one; undefined where REST did. */
  snapshotBy: string | undefined
}

/** A message within this time of a snapshot decides which time the snapshot is stored with: it is loaded before that
 *  is decided. */
export const FOLLOWS_MS = 500

const NEVER = Number.NEGATIVE_INFINITY

/** The first ms that a gap of a book may begin in. */
const notBefore = ({ snapshotMs }: Pick<BookState, 'snapshotMs'>): number => Math.floor(snapshotMs) + 1

export class GapTracker {
  readonly venue: Venue
  readonly #clockAheadMs: () => number
  readonly #states = new Map<BookId, BookState>()
  #established = 0

  /** `clockAheadMs` is what our clock is ahead of the venue's. */
  constructor(venue: Venue, clockAheadMs = () => 0) {
    this.venue = venue
    this.#clockAheadMs = clockAheadMs
  }

  get books(): number {
    return this.#states.size
  }

  get established(): number {
    return this.#established
  }

  isEstablished(book: BookId): boolean {
    return this.#states.get(book)?.trust === 'established'
  }

  marketOf(book: BookId): string | null {
    return this.#states.get(book)?.market ?? null
  }

  /** What a snapshot with this hash tells that was not heard; undefined where nothing says that it does. */
  unheard(book: BookId, hash: string | undefined, nowMs: number): Unheard | undefined {
    const state = this.#states.get(book)
    if (state?.trust !== 'established' || state.gap !== undefined) return undefined
    if (state.hash === undefined || hash === undefined || state.hash === hash) return undefined
    // The socket may have missed what was before a book of REST.
    const notBeforeMs = state.snapshotBy === undefined ? NEVER : notBefore(state)
    return { toMs: nowMs, hash, notBeforeMs }
  }

  /** Returns these books, and of those with an open gap when it began (`lost`), and when its part before the last
   *  snapshot began (`before`). Unix ms. */
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

  /** As `carried`, and of books with a snapshot after `untilMs` its time (`snapshots`). All messages on the socket
   *  `connection` are known up to `untilMs`. */
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

  /** A book that `before` tells of has an open gap since then. */
  add(book: BookId, market: string | null, connection: string, before?: Heard): void {
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

  /** Those that go to another connection, as far as something of them was heard. */
  moving(books: readonly BookId[], untilMs: number): Map<BookId, Heard> {
    const heard = new Map<BookId, Heard>()
    for (const book of books) {
      const state = this.#states.get(book)
      if (state === undefined || state.trust === 'unknown') continue
      const fromMs = Math.max(untilMs, notBefore(state))
      const beforeMs = state.snapshotBy === undefined ? untilMs : fromMs
      heard.set(book, { market: state.market, untilMs: fromMs, beforeMs, reason: 'resync' })
    }
    return heard
  }

  /** The gap that the book leaves with, which nothing closed. */
  remove(book: BookId, nowMs: number): GapLine[] {
    const state = this.#states.get(book)
    if (state === undefined) return []
    this.#states.delete(book)
    if (state.trust === 'established') this.#established--
    return this.#close(book, state, nowMs, { closed_by: 'end' })
  }

  /** Something of a book is missing since `fromMs`. Of several losses the first is reported, since the earliest. A book of
   *  which nothing was heard misses nothing. After a hole the book goes on at once, at `nowMs`, with changes that must
   *  not be applied to what it was before: that gap is returned, and stands before them. */
  lose(
    book: BookId,
    loss: Loss,
    { fromMs: sinceMs, nowMs, connection, writtenMs = Number.POSITIVE_INFINITY }: LostAt,
  ): GapLine[] {
    const state = this.#states.get(book)
    if (state === undefined) return []
    state.snapshotMs = [state.snapshotMs, state.writtenSnapshotMs].find((ms) => ms <= writtenMs) ?? NEVER
    const fromMs = Math.max(sinceMs, notBefore(state))
    // What another socket or REST gave says nothing of what this socket was to tell before it.
    const isOwn = state.snapshotBy === connection
    const beforeMs = missingBefore(fromMs, sinceMs, isOwn ? this.#clockAheadMs() : Number.POSITIVE_INFINITY)
    if (state.trust === 'unknown') return []
    this.#learn(state, 'gap')
    if (state.gap !== undefined) state.gap.fromMs = Math.min(state.gap.fromMs, fromMs)
    if (state.gap !== undefined || state.market === null) return []
    state.gap = { ...loss, fromMs, connection, beforeMs }
    if (loss.reason !== 'sequence_hole') return []
    const told = this.#close(book, state, nowMs, { closed_by: 'end' })
    state.gap = { reason: 'resync', scope: 'book', fromMs: Math.max(nowMs, fromMs), connection, goesOn: true }
    return told
  }

  /** A snapshot that `connection` gave at `nowMs`, and is stored with `storedMs` at the latest. The gap that it closes,
   *  which stands before it. */
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
    const lines = this.#close(book, state, nowMs, { ...closedBy, ...proof })
    if (state.snapshotMs <= flushedMs) state.writtenSnapshotMs = state.snapshotMs
    state.behindGapMs = lines.at(-1)?.msg.from ?? NEVER
    state.snapshotMs = Math.max(storedMs, state.behindGapMs)
    state.snapshotBy = by === 'rest_book' ? undefined : connection
    return lines
  }

  /** Something else of the book, at `nowMs`: a change and the hash after it, or a trade without one. The gap that it
   *  falls into, as far as it reaches: it stands before it, since the change is none of the book before the gap.
   *  `venueMs` is the venue's time of it, NaN without one, and `receivedMs` ours. */
  changed(book: BookId, { market, hash, venueMs, receivedMs }: Changed, nowMs: number): GapLine[] {
    const state = this.#states.get(book)
    if (state === undefined) return []
    if (venueMs < state.snapshotMs && receivedMs < state.snapshotMs + FOLLOWS_MS)
      state.snapshotMs = Math.max(venueMs, state.behindGapMs)
    state.market ??= market
    this.#learn(state, 'record')
    const { gap } = state
    if (gap !== undefined && gap.goesOn !== true) return this.#tellPart(book, state, gap, nowMs)
    // The hash before a gap is what tells whether the book changed during it.
    if (hash !== undefined && gap === undefined) state.hash = hash
    return []
  }

  #learn(state: BookState, evidence: 'snapshot' | 'record' | 'gap'): void {
    const before = state.trust
    state.trust = AFTER[evidence][before]
    this.#established += Number(state.trust === 'established') - Number(before === 'established')
  }

  #tellPart(book: BookId, state: BookState, gap: OpenGap, nowMs: number): GapLine[] {
    const told = this.#close(book, state, nowMs, { closed_by: 'end' })
    const { reason, scope, connection, fromMs } = gap
    state.gap = { reason, scope, connection, fromMs: Math.max(fromMs, nowMs), goesOn: true }
    return told
  }

  /** The gaps that are open when all ends. */
  end(nowMs: number): GapLine[] {
    return [...this.#states].flatMap(([book, state]) => this.#close(book, state, nowMs, { closed_by: 'end' }))
  }

  #close(
    book: BookId,
    state: BookState,
    nowMs: number,
    closed: Pick<GapLine['msg'], 'closed_by' | 'closed_seq' | 'closed_hash'>,
  ): GapLine[] {
    const { gap, market } = state
    if (gap === undefined || market === null) return []
    state.gap = undefined
    const { reason, scope, expected, got, fromMs, connection, beforeMs = fromMs } = gap
    const hole = { ...(expected === undefined ? {} : { expected }), ...(got === undefined ? {} : { got }) }
    const [before, from, to] = [beforeMs, fromMs, Math.max(fromMs, nowMs)].map(Math.floor) as [number, number, number]
    // What the wrong clock of a snapshot would put into a gap stands between two: one of before it, one of after it.
    const isBehind = closed.closed_by !== 'end' && this.#clockAheadMs() < -CLOCKS_AGREE_MS
    const parts: Pick<GapLine['msg'], 'from' | 'to' | 'closed_by'>[] = [{ from: isBehind ? to : from, to, ...closed }]
    if (isBehind) parts.unshift({ from, to, closed_by: 'end' })
    if (before < from) parts.unshift({ from: before, to: from, closed_by: 'end' })
    return parts.map(({ from, to, ...end }) =>
      gapOf(this.venue, market, book, { reason, from, to, connection, scope, ...hole, ...end }),
    )
  }
}
