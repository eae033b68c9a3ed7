// Finds evidence that a Kalshi book is wrong although no sequence number is missing (docs/recording.md): an impossible
// change, or a book that is crossed after all changes of one venue time. Requests a new snapshot, less and less often
// if every snapshot is contradicted again.

import { MICROS } from '../../../../storage/units.ts'
import type { Impossible } from '../../../../workers/book/shape-cursor.ts'
import { GATHER_MS } from '../../audit/auditor.ts'
import type { BookId, Link } from '../../connection/venue-protocol.ts'
import type { LevelBook } from './level-book.ts'

type ContradictionReason = Impossible | 'crossed'

/** A contradiction in a book. `seen` describes it in words, for the end of a sentence. */
export type Contradiction = { reason: ContradictionReason; seen: string }

/** Receives the requests and reports that follow from the evidence. */
interface EvidencePort {
  /** Requests a snapshot of the book from the venue. */
  ask(book: BookId): void
  /** Reports a contradiction. Null: the book is sound again, or no longer followed. */
  contradicted(book: BookId, found: Contradiction | null): void
}

/** Longest pause between two requests for a book, ms. The first pause is `GATHER_MS`. It doubles with each request
 *  that soon follows the previous one. */
const WAIT_MS_MAX = 64 * GATHER_MS

export class BookEvidence {
  readonly #port: EvidencePort
  readonly #link: Pick<Link, 'monoMs' | 'wakeAt' | 'state' | 'isReplay' | 'trust'>
  /** Books that are crossed after their last change, with the venue time of that change. */
  readonly #crossed = new Map<BookId, { levels: LevelBook; time: unknown }>()
  /** Last request for each book: its time in ms of the monotonic clock, and the pause until the next. */
  readonly #requests = new Map<BookId, { atMs: number; waitMs: number }>()
  /** Times at which waiting requests are due, ms of the monotonic clock. */
  readonly #waiting = new Map<BookId, number>()

  constructor(link: Pick<Link, 'monoMs' | 'wakeAt' | 'state' | 'isReplay' | 'trust'>, port: EvidencePort) {
    this.#link = link
    this.#port = port
  }

  /** Must be called before a change is applied; `msg` is the message of the change. If `msg` has another venue time
   *  than the change that crossed a book, and the book is still crossed, the book is wrong: all changes of the earlier
   *  time have arrived. */
  before(msg: Record<string, unknown>): void {
    if (this.#crossed.size === 0) return
    const time = timeOf(msg)
    for (const [book, crossed] of this.#crossed) if (crossed.time !== time) this.#settle(book, crossed.levels)
  }

  /** Checks a known book after a change. */
  changed(book: BookId, levels: LevelBook, msg: Record<string, unknown>): void {
    if (this.#link.trust.trustOf(book) === 'doubtful') return
    const { impossible } = levels
    if (impossible !== undefined) this.#contradict(book, { reason: impossible, seen: seenIn(impossible, msg) })
    else if (levels.isCrossed) this.#crossed.set(book, { levels, time: timeOf(msg) })
    else if (this.#crossed.size > 0) this.#crossed.delete(book)
  }

  /** Checks a book after a snapshot. A snapshot is a complete quote, so it must not be crossed. `wasDoubtful`: a
   *  contradiction was reported before the snapshot. */
  snapshot(book: BookId, levels: LevelBook, wasDoubtful: boolean): void {
    if (levels.isKnown && levels.isCrossed) {
      this.#cancel(book)
      this.#settle(book, levels)
    } else this.forget(book, wasDoubtful)
  }

  /** Drops the evidence of a book that is sound again, lost or no longer followed. */
  forget(book: BookId, wasDoubtful: boolean): void {
    this.#cancel(book)
    if (wasDoubtful) this.#port.contradicted(book, null)
  }

  #cancel(book: BookId): void {
    this.#crossed.delete(book)
    this.#waiting.delete(book)
  }

  /** Sends the requests that are due. Returns the time of the next one; Infinity if there is none. */
  due(nowMs: number): number {
    for (const [book, atMs] of this.#waiting) if (atMs <= nowMs) this.#request(book, nowMs)
    return Math.min(...this.#waiting.values())
  }

  #settle(book: BookId, levels: LevelBook): void {
    const [yes, no] = levels.bests
    const seen = `YES is bid at ${yes / MICROS} and NO at ${no / MICROS}, together 1 or more`
    this.#contradict(book, { reason: 'crossed', seen })
  }

  #contradict(book: BookId, found: Contradiction): void {
    this.#crossed.delete(book)
    this.#link.trust.contradicted(book)
    this.#link.state('contradicted', { market: book, ...found })
    this.#port.contradicted(book, found)
    // A replay has no other snapshot to send.
    if (!this.#link.isReplay) this.#request(book)
  }

  /** Requests a snapshot now, or when the pause since the last request is over. */
  #request(book: BookId, nowMs = this.#link.monoMs): void {
    const { atMs, waitMs } = this.#requests.get(book) ?? { atMs: Number.NEGATIVE_INFINITY, waitMs: 0 }
    if (atMs + waitMs > nowMs) {
      this.#waiting.set(book, atMs + waitMs)
      return this.#link.wakeAt(atMs + waitMs)
    }
    this.#waiting.delete(book)
    const isSoon = nowMs - atMs <= 2 * waitMs
    this.#requests.set(book, { atMs: nowMs, waitMs: isSoon ? Math.min(2 * waitMs, WAIT_MS_MAX) : GATHER_MS })
    this.#port.ask(book)
  }
}

/** Returns the venue's time of a message at its full resolution. */
const timeOf = (msg: Record<string, unknown>): unknown => msg['ts'] ?? msg['ts_ms']

function seenIn(reason: Impossible, msg: Record<string, unknown>): string {
  const { price_dollars: price, delta_fp: change, side } = msg
  const printed = `a change of ${JSON.stringify(change)} at ${JSON.stringify(price)} of ${JSON.stringify(side)}`
  return reason === 'below_zero' ? `${printed} takes more than the level has` : `${printed} cannot be read`
}
