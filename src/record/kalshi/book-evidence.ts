// Evidence that a book of Kalshi is wrong although no sequence number is missing (docs/recording.md): a change that
// cannot be, or bids that reach asks after all changes of one venue time. Asks for a new snapshot, and does not ask
// without end for a book that every snapshot contradicts.

import { MICROS } from '../../../storage/units.ts'
import type { Impossible } from '../../../workers/book/shape-cursor.ts'
import { msOf } from '../connection/time.ts'
import type { BookId, Link } from '../connection/venue-protocol.ts'
import { GATHER_MS } from './auditor.ts'
import type { LevelBook } from './level-book.ts'

export type ContradictionReason = Impossible | 'crossed'

/** What was seen of a book, as the end of a sentence. */
export type Contradiction = { reason: ContradictionReason; seen: string }

/** Where evidence goes. */
export interface EvidencePort {
  /** Asks the venue for the book as it is. */
  ask(book: BookId): void
  /** Null: the book is sound again, or not followed any more. */
  contradicted(book: BookId, found: Contradiction | null): void
}

/** A book is asked for again after as long as an audit waits, then after twice as long each time, up to 64 times. */
const WAIT_MS_MAX = 64 * GATHER_MS

export class BookEvidence {
  readonly #port: EvidencePort
  readonly #link: Link
  /** Books with evidence and without a snapshot since. */
  readonly #open = new Set<BookId>()
  /** Books that are crossed after their last change, and the venue time of it. */
  readonly #crossed = new Map<BookId, { levels: LevelBook; time: unknown }>()
  /** When a book was asked for, ms of the monotonic clock, and how long it is not asked for again. */
  readonly #asked = new Map<BookId, { atMs: number; waitMs: number }>()
  readonly #waiting = new Map<BookId, () => void>()

  constructor(link: Link, port: EvidencePort) {
    this.#link = link
    this.#port = port
  }

  /** To be called before a change is applied: what is crossed at another venue time stays so. `msg` is its message. */
  before(msg: Record<string, unknown>): void {
    if (this.#crossed.size === 0) return
    const time = timeOf(msg)
    for (const [book, crossed] of this.#crossed) if (crossed.time !== time) this.#settle(book, crossed.levels)
  }

  /** A known book has had a change. */
  changed(book: BookId, levels: LevelBook, msg: Record<string, unknown>): void {
    if (this.#open.has(book)) return
    const { impossible } = levels
    if (impossible !== undefined) this.#contradict(book, { reason: impossible, seen: seenIn(impossible, msg) })
    else if (levels.isCrossed) this.#crossed.set(book, { levels, time: timeOf(msg) })
    else if (this.#crossed.size > 0) this.#crossed.delete(book)
  }

  /** A snapshot has come: a quote of its own. */
  snapshot(book: BookId, levels: LevelBook): void {
    this.#cancel(book)
    if (levels.isKnown && levels.isCrossed) return this.#settle(book, levels)
    if (this.#open.delete(book)) this.#port.contradicted(book, null)
  }

  /** The book is lost, or not followed any more. */
  forget(book: BookId): void {
    this.#cancel(book)
    if (this.#open.delete(book)) this.#port.contradicted(book, null)
  }

  forgetAll(): void {
    for (const book of [...this.#open, ...this.#crossed.keys()]) this.forget(book)
  }

  #cancel(book: BookId): void {
    this.#crossed.delete(book)
    this.#waiting.get(book)?.()
    this.#waiting.delete(book)
  }

  #settle(book: BookId, levels: LevelBook): void {
    const [yes, no] = levels.bests
    const seen = `YES is bid at ${yes / MICROS} and NO at ${no / MICROS}, together 1 or more`
    this.#contradict(book, { reason: 'crossed', seen })
  }

  #contradict(book: BookId, found: Contradiction): void {
    this.#crossed.delete(book)
    this.#open.add(book)
    this.#link.state('contradicted', { market: book, ...found })
    this.#port.contradicted(book, found)
    // A replay has no other book to give.
    if (!this.#link.isReplay) this.#ask(book)
  }

  #ask(book: BookId): void {
    const nowMs = msOf(this.#link.clock.monoNs())
    const { atMs, waitMs } = this.#asked.get(book) ?? { atMs: Number.NEGATIVE_INFINITY, waitMs: 0 }
    const restMs = atMs + waitMs - nowMs
    const ask = (askMs: number) => {
      const isSoon = askMs - atMs <= 2 * waitMs
      this.#asked.set(book, { atMs: askMs, waitMs: isSoon ? Math.min(2 * waitMs, WAIT_MS_MAX) : GATHER_MS })
      this.#port.ask(book)
    }
    if (restMs <= 0) return ask(nowMs)
    const cancel = this.#link.timers.after(restMs, () => {
      this.#waiting.delete(book)
      ask(nowMs + restMs)
    })
    this.#waiting.set(book, cancel)
  }
}

/** The venue's time of a message at its full resolution. */
const timeOf = (msg: Record<string, unknown>): unknown => msg['ts'] ?? msg['ts_ms']

function seenIn(reason: Impossible, msg: Record<string, unknown>): string {
  const { price_dollars: price, delta_fp: change, side } = msg
  const printed = `a change of ${JSON.stringify(change)} at ${JSON.stringify(price)} of ${JSON.stringify(side)}`
  return reason === 'below_zero' ? `${printed} takes more than the level has` : `${printed} cannot be read`
}
