// What is known of each book of a connection: whether a snapshot established it, and the gap that is open. A gap is
// told once, when it is closed. Pure.

import type { Venue } from '../../../storage/venue.ts'
import type { GapLine, GapReason } from '../../../workers/segment/segment-lines.ts'
import type { BookId, Loss, SnapshotSeen } from './venue-protocol.ts'

/** When a recorder before this one, or another connection, received the last message of a book, or when its last stored
 *  record was: Unix ms; its market where that is known. What is missing since then is a gap `restart`, unless `reason`
 *  gives another. */
export type Heard = { market: string | null; untilMs: number; hash?: string; reason?: GapReason }

/** Unix ms; what is missing is missing since `fromMs`, and that is known at `nowMs`. */
export type LostAt = { fromMs: number; nowMs: number; connection: string }

/** `goesOn`: a part of it is reported, since other things than a snapshot followed. */
/** A snapshot that tells more than was heard before it: when it came, Unix ms, and its hash. */
export type Unheard = { toMs: number; hash: string }

type OpenGap = Loss & { fromMs: number; connection: string; goesOn?: boolean }

type BookState = {
  /** Null until a message names it: a token may be named without its market. */
  market: string | null
  isEstablished: boolean
  /** Something of it is in the segments, so that it has something to miss. */
  isHeard: boolean
  /** Of the last change or snapshot before the open gap. */
  hash: string | undefined
  gap: OpenGap | undefined
}

export class GapTracker {
  readonly venue: Venue
  readonly #states = new Map<BookId, BookState>()
  #established = 0
  #open = 0
  #written = 0

  constructor(venue: Venue) {
    this.venue = venue
  }

  get books(): number {
    return this.#states.size
  }

  get established(): number {
    return this.#established
  }

  /** Gaps that are not closed. */
  get open(): number {
    return this.#open
  }

  /** Gaps that were told. */
  get written(): number {
    return this.#written
  }

  isEstablished(book: BookId): boolean {
    return this.#states.get(book)?.isEstablished === true
  }

  marketOf(book: BookId): string | null {
    return this.#states.get(book)?.market ?? null
  }

  /** What a snapshot with this hash tells that was not heard; undefined where nothing says that it does. */
  unheard(book: BookId, hash: string | undefined, nowMs: number): Unheard | undefined {
    const { isEstablished = false, gap, hash: before } = this.#states.get(book) ?? {}
    if (!isEstablished || gap !== undefined || before === undefined || hash === undefined) return undefined
    return before === hash ? undefined : { toMs: nowMs, hash }
  }

  /** Books that wait for a snapshot. */
  *waiting(): Generator<BookId> {
    for (const [book, { isEstablished }] of this.#states) if (!isEstablished) yield book
  }

  /** These books, and since when some of them miss something that no gap told yet, Unix ms. */
  carried(of: Iterable<BookId>): { books: BookId[]; lost: Record<BookId, number> } {
    const books = [...of]
    const lost: Record<BookId, number> = {}
    for (const book of books) {
      const gap = this.#states.get(book)?.gap
      if (gap !== undefined) lost[book] = Math.floor(gap.fromMs)
    }
    return { books, lost }
  }

  /** A book that `before` tells of has an open gap since then. */
  add(book: BookId, market: string | null, connection: string, before?: Heard): void {
    if (this.#states.has(book)) return
    const state: BookState = { market, isEstablished: false, isHeard: false, hash: undefined, gap: undefined }
    this.#states.set(book, state)
    if (before === undefined) return
    state.market ??= before.market
    state.isHeard = true
    state.hash = before.hash
    state.gap = { reason: before.reason ?? 'restart', scope: 'connection', fromMs: before.untilMs, connection }
    this.#open++
  }

  /** Those that go to another connection, as far as something of them was heard. */
  moving(books: readonly BookId[], untilMs: number): Map<BookId, Heard> {
    const heard = new Map<BookId, Heard>()
    for (const book of books) {
      const { isHeard = false, market = null } = this.#states.get(book) ?? {}
      if (isHeard) heard.set(book, { market, untilMs, reason: 'resync' })
    }
    return heard
  }

  /** The gap that the book leaves with, which nothing closed. */
  remove(book: BookId, nowMs: number): GapLine | undefined {
    const state = this.#states.get(book)
    if (state === undefined) return undefined
    this.#states.delete(book)
    if (state.isEstablished) this.#established--
    return this.#close(book, state, nowMs, { closed_by: 'end' })
  }

  /** Something of a book is missing since `fromMs`. Of several losses the first is reported, since the earliest. A book of
   *  which nothing was heard misses nothing. After a hole the book goes on at once, at `nowMs`, with changes that must
   *  not be applied to what it was before: that gap is returned, and stands before them. */
  lose(book: BookId, loss: Loss, { fromMs, nowMs, connection }: LostAt): GapLine | undefined {
    const state = this.#states.get(book)
    if (state === undefined) return undefined
    if (state.isEstablished) this.#established--
    state.isEstablished = false
    if (state.gap !== undefined) state.gap.fromMs = Math.min(state.gap.fromMs, fromMs)
    if (state.gap !== undefined || !state.isHeard || state.market === null) return undefined
    state.gap = { ...loss, fromMs, connection }
    this.#open++
    if (loss.reason !== 'sequence_hole') return undefined
    const told = this.#close(book, state, nowMs, { closed_by: 'end' })
    state.gap = { reason: 'resync', scope: 'book', fromMs: nowMs, connection, goesOn: true }
    this.#open++
    return told
  }

  /** A snapshot that was said at `nowMs`. The gap that it closes, which stands before it. */
  snapshot(book: BookId, { market, by, hash, seq }: SnapshotSeen, nowMs: number): GapLine | undefined {
    const state = this.#states.get(book)
    if (state === undefined) return undefined
    state.market = market
    state.isHeard = true
    if (!state.isEstablished) this.#established++
    state.isEstablished = true
    const isSame = by === 'snapshot' && hash !== undefined && hash === state.hash
    state.hash = hash
    const closedBy = { closed_by: isSame ? 'same_hash' : by } as const
    const proof = { ...(seq === undefined ? {} : { closed_seq: seq }), ...(hash ? { closed_hash: hash } : {}) }
    return this.#close(book, state, nowMs, { ...closedBy, ...proof })
  }

  /** Something else of the book, at `nowMs`: a change and the hash after it, or a trade without one. The gap that it
   *  falls into, as far as it reaches: it stands before it, since the change is none of the book before the gap. */
  changed(book: BookId, market: string, hash: string | undefined, nowMs: number): GapLine | undefined {
    const state = this.#states.get(book)
    if (state === undefined) return undefined
    state.market ??= market
    state.isHeard = true
    const { gap } = state
    if (gap !== undefined && gap.goesOn !== true) return this.#tellPart(book, state, gap, nowMs)
    // The hash before a gap is what tells whether the book changed during it.
    if (hash !== undefined && gap === undefined) state.hash = hash
    return undefined
  }

  #tellPart(book: BookId, state: BookState, gap: OpenGap, nowMs: number): GapLine | undefined {
    const told = this.#close(book, state, nowMs, { closed_by: 'end' })
    const { reason, scope, connection, fromMs } = gap
    state.gap = { reason, scope, connection, fromMs: Math.max(fromMs, nowMs), goesOn: true }
    this.#open++
    return told
  }

  /** The gaps that are open when all ends. */
  end(nowMs: number): GapLine[] {
    const lines: GapLine[] = []
    for (const [book, state] of this.#states) {
      const line = this.#close(book, state, nowMs, { closed_by: 'end' })
      if (line !== undefined) lines.push(line)
    }
    return lines
  }

  #close(
    book: BookId,
    state: BookState,
    nowMs: number,
    closed: Pick<GapLine['msg'], 'closed_by' | 'closed_seq' | 'closed_hash'>,
  ): GapLine | undefined {
    const { gap, market } = state
    if (gap === undefined || market === null) return undefined
    state.gap = undefined
    this.#open--
    this.#written++
    const { reason, scope, expected, got, fromMs, connection } = gap
    const from = Math.floor(fromMs)
    const hole = { ...(expected === undefined ? {} : { expected }), ...(got === undefined ? {} : { got }) }
    const msg = { reason, from, to: Math.max(from, Math.floor(nowMs)), connection, scope, ...hole, ...closed }
    return lineOf(this.venue, market, book, msg)
  }
}

/** The gap of a socket that was open and told nothing, up to a snapshot that another one was sent. */
export function unheardGap(
  venue: Venue,
  market: string,
  book: BookId,
  { toMs, hash, fromMs, connection }: Unheard & Omit<LostAt, 'nowMs'>,
): GapLine {
  const times = { from: Math.floor(fromMs), to: Math.max(Math.floor(fromMs), Math.floor(toMs)) }
  const closed = { closed_by: 'snapshot', closed_hash: hash } as const
  return lineOf(venue, market, book, { reason: 'silence', ...times, connection, scope: 'connection', ...closed })
}

function lineOf(venue: Venue, market: string, book: BookId, msg: GapLine['msg']): GapLine {
  return { venue, market, ...(venue === 'polymarket' ? { assetId: book } : {}), msg }
}
