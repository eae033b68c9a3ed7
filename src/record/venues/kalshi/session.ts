// Kalshi's protocol on one open socket: subscribes, checks sequence numbers, and reports to the connection what frames
// mean. After a hole in the numbers all books of the socket are lost, so the session requests a snapshot of each book.
// If the snapshots do not arrive in time, the socket is replaced.

import type { AuditResult } from '../../../../storage/finding/audits.ts'
import { isWhole } from '../../../../workers/evidence/trust-table.ts'
import type { Levels } from '../../audit/audited-book.ts'
import type { AuditedSession } from '../../audit/auditor.ts'
import type { BookId, FrameStamp, Link, Loss, ProtocolSession } from '../../connection/venue-protocol.ts'
import { msOf } from '../../time/clock.ts'
import { BookEvidence, type Contradiction } from './book-evidence.ts'
import { ERROR_CODE, type KalshiError, LIFECYCLE_CHANNEL } from './commands.ts'
import { type KalshiMessage, messagesIn, SequenceTracker } from './frame.ts'
import { LevelBook, readOrderbook } from './level-book.ts'
import { Subscriptions } from './subscriptions.ts'

type SessionSettings = {
  chunk: number
  replyMs: number
  /** Longest wait for snapshots after sequence numbers were skipped. */
  resyncMs: number
}

/** Settings and services that the sessions of all sockets share. */
export interface VenueContext {
  readonly settings: SessionSettings
  /** Books whose snapshots were requested on a quiet socket and did not arrive. */
  readonly silentBooks: Set<BookId>
  halveLimit(): number
  /** Reports a book that contradicts itself. `found` is null if the book is sound again or no longer followed. */
  contradicted(book: BookId, found: Contradiction | null): void
  /** Handles a message of the lifecycle channel. Returns whether its market is recorded. */
  lifecycle(message: KalshiMessage): boolean
  closed(session: KalshiSession): void
}

const REPLIES = new Set(['subscribed', 'unsubscribed', 'ok', 'error'])
const LIFECYCLE_TYPES = new Set([LIFECYCLE_CHANNEL, 'event_lifecycle', 'event_fee_update', 'market_metadata_updated'])

export class KalshiSession implements ProtocolSession, AuditedSession {
  readonly #link: Link
  readonly #shared: VenueContext
  readonly #subscriptions: Subscriptions
  readonly #sequence = new SequenceTracker()
  readonly #levels = new Map<BookId, LevelBook>()
  readonly #evidence: BookEvidence
  /** Books without a snapshot since sequence numbers were skipped, and the time by which snapshots must arrive. */
  readonly #afterHole = new Set<BookId>()
  #holeDueMs = Number.POSITIVE_INFINITY
  /** Books that were requested from REST and have had no message since. */
  readonly #untouched = new Set<BookId>()
  /** Venue time of the last message that had one, Unix ms; before the first, the time at which the socket was opened. A
   *  message without a time, such as a snapshot, is at least as new. */
  #venueMs: number | undefined
  /** The value of `#venueMs` at the last message of each sid. */
  readonly #lastSeenMs = new Map<number, number>()
  /** Arrival of the last message with data, ms of the monotonic clock. */
  #dataMonoMs = Number.NEGATIVE_INFINITY

  constructor(link: Link, shared: VenueContext, hasLifecycle: boolean) {
    this.#link = link
    this.#shared = shared
    this.#venueMs = link.isReplay ? undefined : link.completeUntilMs
    const { chunk, replyMs } = shared.settings
    this.#subscriptions = new Subscriptions(link, this.#port(), { chunk, replyMs, hasLifecycle })
    this.#evidence = new BookEvidence(link, {
      ask: (book) => this.#subscriptions.askSnapshots([book]),
      contradicted: (book, found) => shared.contradicted(book, found),
    })
  }

  #port() {
    const link = this.#link
    return {
      ended: (channel: string, sid: number | undefined, { code, text }: KalshiError) => {
        if (sid !== undefined) this.#sequence.forget(sid)
        link.state('subscription_ended', { channel, sid, code, text })
        this.#lose({ reason: code === ERROR_CODE.overflow ? 'overflow' : 'resync', scope: 'subscription' })
      },
      hasSentData: (withinMs: number) => link.monoMs - this.#dataMonoMs < withinMs,
      isNews: (unanswered: readonly string[]) => {
        const { silentBooks } = this.#shared
        const before = silentBooks.size
        for (const ticker of unanswered) silentBooks.add(ticker)
        return silentBooks.size > before
      },
      halveLimit: () => this.#shared.halveLimit(),
      refused: (tickers: readonly string[], because: string) => {
        for (const ticker of tickers) this.#forget(ticker)
        link.refused(tickers, because)
      },
    }
  }

  takeLifecycle(): void {
    this.#subscriptions.takeLifecycle()
  }

  add(books: readonly BookId[]): void {
    for (const book of books) this.#levels.set(book, new LevelBook())
    this.#subscriptions.add(books)
  }

  remove(books: readonly BookId[]): void {
    for (const book of books) this.#forget(book)
    this.#subscriptions.remove(books)
  }

  read(text: string, { sentMs, monoNs }: FrameStamp): void {
    const messages = messagesIn(text)
    if (messages === undefined) throw new SyntaxError('the frame is not JSON')
    for (const message of messages) {
      this.#venueMs = message.venueMs ?? this.#venueMs ?? sentMs
      this.#read(message, msOf(monoNs))
      if (message.sid !== undefined) this.#lastSeenMs.set(message.sid, this.#venueMs)
    }
  }

  snapshotsMissing(books: readonly BookId[]): void {
    this.#subscriptions.askSnapshots(books)
    // Only a confirmed market sends the changes that must follow a book from REST.
    this.#link.requestBooks(books.filter((book) => this.#subscriptions.isConfirmed(book)))
  }

  due(nowMs: number): number {
    if (this.#holeDueMs <= nowMs) this.#replace()
    return Math.min(this.#holeDueMs, this.#evidence.due(nowMs), this.#subscriptions.due(nowMs))
  }

  beginBook(book: BookId): boolean {
    if (!this.#isWaiting(book)) return false
    this.#untouched.add(book)
    return true
  }

  /** Reads a book from REST. The body has no time, so its place in the sequence is certain only if no message of the
   *  book has arrived since the request. Returns false if a message has arrived. */
  readBook(book: BookId, body: string, json: unknown): boolean {
    if (!this.#isWaiting(book)) return true
    if (!this.#untouched.has(book)) return false
    if (this.#subscriptions.isPartial(book)) return true
    const wasDoubtful = this.#isDoubtful(book)
    this.#link.snapshot(book, { market: book, by: 'rest_book' })
    this.#link.rest(body, book)
    // The socket sent no snapshot because it is quiet, not broken. So the book from REST counts as its data.
    this.#dataMonoMs = this.#link.monoMs
    this.#levels.get(book)?.become(readOrderbook(json))
    this.#established(book, wasDoubtful)
    return true
  }

  close(): void {
    this.#holeDueMs = Number.POSITIVE_INFINITY
    this.#subscriptions.close()
    this.#forgetAll()
    this.#levels.clear()
    this.#shared.closed(this)
  }

  get books(): ReadonlySet<BookId> {
    return this.#subscriptions.wanted
  }

  known(): BookId[] {
    return [...this.#subscriptions.wanted].filter((book) => this.#isWhole(book))
  }

  watch(book: BookId): boolean {
    return this.#isWhole(book) && this.#levels.get(book)?.watch() === true
  }

  conclude(book: BookId, restLevels: Levels | undefined): AuditResult | undefined {
    const result = this.#levels.get(book)?.conclude(restLevels)
    if (result !== undefined) this.#link.audit(book, book, result)
    return result
  }

  /** Requests a snapshot of the book. A socket that has stopped sending data may still answer pings, but does not
   *  answer this request, and is then replaced. */
  distrust(book: BookId): void {
    this.#subscriptions.askSnapshots([book])
  }

  #read(message: KalshiMessage, monoMs: number): void {
    const { type, sid, seq, market } = message
    if (sid !== undefined && seq !== undefined && !this.#isNew(message, sid, seq)) return this.#link.aside()
    if (REPLIES.has(type)) return this.#subscriptions.read(message)
    if (LIFECYCLE_TYPES.has(type)) return this.#lifecycle(message)
    this.#link.data(message.venueMs ?? Number.NaN, this.#venueMs)
    this.#dataMonoMs = monoMs
    if (market === undefined) return this.#link.unknown(type)
    if (type === 'orderbook_snapshot') this.#snapshot(message, market)
    else if (type === 'orderbook_delta') this.#delta(message, market)
    else {
      this.#link.changed(market, market)
      if (type !== 'trade') this.#link.unknown(type)
    }
  }

  /** Checks the sequence number. Returns false for a repeated message. Such a message is written to the segment, but
   *  must not become a record, because the record would change the book twice. */
  #isNew({ type }: KalshiMessage, sid: number, seq: number): boolean {
    const verdict = this.#sequence.accept(sid, seq)
    if (verdict === 'next') return true
    // A reply must be handled even if it repeats a sequence number.
    if (verdict === 'duplicate') return REPLIES.has(type)
    this.#link.state('sequence_hole', { sid, ...verdict })
    // A loss on the lifecycle channel affects no book.
    if (LIFECYCLE_TYPES.has(type)) return true
    const lost = this.known()
    const lastSeenMs = this.#lastSeenMs.get(sid)
    const since = lastSeenMs === undefined ? {} : { sinceMs: lastSeenMs }
    this.#lose({ reason: 'sequence_hole', scope: 'subscription', ...verdict, ...since })
    for (const book of lost) this.#afterHole.add(book)
    this.#subscriptions.askSnapshots(lost)
    if (this.#holeDueMs !== Number.POSITIVE_INFINITY) return true
    this.#holeDueMs = this.#link.monoMs + this.#shared.settings.resyncMs
    this.#link.wakeAt(this.#holeDueMs)
    return true
  }

  #replace(): void {
    this.#holeDueMs = Number.POSITIVE_INFINITY
    if (this.#afterHole.size === 0) return
    const because = `${this.#afterHole.size} books had no snapshot within ${this.#shared.settings.resyncMs} ms of a hole`
    this.#link.reconnect('sequence_hole', because)
  }

  #lose(loss: Loss): void {
    for (const levels of this.#levels.values()) levels.forget()
    this.#forgetAll()
    this.#link.lost(this.#subscriptions.wanted, loss)
  }

  /** Whether the book has a snapshot and no message is missing since. */
  #isWhole(book: BookId): boolean {
    return isWhole(this.#link.trust.trustOf(book))
  }

  #isDoubtful(book: BookId): boolean {
    return this.#link.trust.trustOf(book) === 'doubtful'
  }

  #isWaiting(book: BookId): boolean {
    return this.#subscriptions.wanted.has(book) && !this.#isWhole(book)
  }

  #snapshot(message: KalshiMessage, market: BookId): void {
    const { msg, seq } = message
    if (this.#subscriptions.isPartial(market)) {
      this.#link.changed(market, market)
      return this.#subscriptions.read(message)
    }
    const wasDoubtful = this.#isDoubtful(market)
    this.#link.snapshot(market, { market, by: 'snapshot', ...(seq === undefined ? {} : { seq }) })
    this.#untouched.delete(market)
    this.#shared.silentBooks.delete(market)
    const levels = this.#levels.get(market)
    levels?.replace(msg)
    this.#subscriptions.read(message)
    // Must be last: this may request another snapshot, and the current one must not count as the answer to that.
    this.#established(market, wasDoubtful)
  }

  #delta({ msg }: KalshiMessage, market: BookId): void {
    this.#link.changed(market, market)
    this.#untouched.delete(market)
    const levels = this.#levels.get(market)
    if (levels === undefined) return
    this.#evidence.before(msg)
    const wasKnown = levels.isKnown
    levels.apply(msg)
    if (wasKnown) this.#evidence.changed(market, levels, msg)
  }

  #established(book: BookId, wasDoubtful: boolean): void {
    this.#afterHole.delete(book)
    if (this.#afterHole.size === 0) this.#holeDueMs = Number.POSITIVE_INFINITY
    const levels = this.#levels.get(book)
    if (levels !== undefined) this.#evidence.snapshot(book, levels, wasDoubtful)
  }

  #lifecycle(message: KalshiMessage): void {
    this.#link.data(message.venueMs ?? Number.NaN, this.#venueMs)
    const { market } = message
    if (!this.#shared.lifecycle(message)) this.#link.aside()
    else if (market !== undefined && this.#subscriptions.wanted.has(market)) this.#link.changed(market, market)
  }

  #forget(book: BookId): void {
    this.#afterHole.delete(book)
    this.#levels.delete(book)
    // The connection has already removed the book and its trust, so `true` makes `forget` report in any case.
    this.#evidence.forget(book, true)
  }

  #forgetAll(): void {
    for (const book of this.#levels.keys()) this.#evidence.forget(book, this.#isDoubtful(book))
  }
}
