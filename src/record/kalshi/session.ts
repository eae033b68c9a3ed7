// Kalshi's protocol on one open socket: subscribes, checks sequence numbers, and reports to the connection what frames
// mean. A hole in the numbers loses all books of the socket: it requests each anew, and a socket that does not receive
// them in time is replaced.

import type { AuditWindow } from '../audit/audit-window.ts'
import type { Levels } from '../audit/signed-book.ts'
import { msOf } from '../connection/clock.ts'
import type { BookId, FrameStamp, Link, Loss, ProtocolSession } from '../connection/venue-protocol.ts'
import type { RestHost } from '../rest/rest-host.ts'
import { BookEvidence, type Contradiction } from './book-evidence.ts'
import { type Command, commandText, ERROR_CODE, LIFECYCLE_CHANNEL } from './commands.ts'
import { FollowedBooks } from './followed-books.ts'
import { type KalshiMessage, messagesIn } from './frame.ts'
import { PartialBooks } from './partial-books.ts'
import { RestResync } from './rest-resync.ts'
import { SequenceTracker } from './sequence.ts'
import { Subscriptions } from './subscriptions.ts'

type SessionSettings = {
  chunk: number
  replyMs: number
  /** Longest wait for snapshots after a hole. */
  resyncMs: number
}

/** Settings and services that the sessions of all sockets share. */
export interface SessionSurroundings {
  readonly settings: SessionSettings
  /** Null if REST is not used. */
  readonly rest: Pick<RestHost, 'get'> | null
  /** Books that did not answer a request for a snapshot on a quiet socket. */
  readonly silentBooks: Set<BookId>
  halveLimit(): number
  /** Reports a book that contradicts itself; null: it is sound again, or no longer followed. */
  contradicted(book: BookId, found: Contradiction | null): void
  /** Handles a message of the lifecycle channel. Returns whether its market is recorded. */
  lifecycle(message: KalshiMessage): boolean
  closed(session: KalshiSession): void
}

const REPLIES = new Set(['subscribed', 'unsubscribed', 'ok', 'error'])
const LIFECYCLE_TYPES = new Set([LIFECYCLE_CHANNEL, 'event_lifecycle', 'event_fee_update', 'market_metadata_updated'])

export class KalshiSession implements ProtocolSession {
  readonly #link: Link
  readonly #shared: SessionSurroundings
  readonly #subscriptions: Subscriptions
  readonly #sequence = new SequenceTracker()
  readonly #resync: RestResync | undefined
  /** Books with a snapshot and no missing message since. */
  readonly #clean = new Set<BookId>()
  /** Books that were lost by a hole and have no snapshot since. */
  readonly #unclean = new Set<BookId>()
  readonly #partial: PartialBooks
  readonly #followed: FollowedBooks
  /** Venue time of the last message that had one, Unix ms; before the first, the time at which the socket was opened. A
   *  message without a time, such as a snapshot, is at least as new. */
  #venueMs: number | undefined
  /** The value of `#venueMs` at the last message of each sid. */
  readonly #lastSeenMs = new Map<number, number>()
  /** Arrival of the last message with data, ms of the monotonic clock. */
  #dataMonoMs = Number.NEGATIVE_INFINITY
  #cancelResync: (() => void) | undefined

  constructor(link: Link, shared: SessionSurroundings, hasLifecycle: boolean) {
    this.#link = link
    this.#shared = shared
    this.#venueMs = link.isReplay ? undefined : link.heardUntilMs
    const { rest, settings } = shared
    const limits = { chunk: settings.chunk, replyMs: settings.replyMs, hasLifecycle }
    this.#subscriptions = new Subscriptions(this.#port(), link.timers, limits)
    this.#partial = new PartialBooks(this.#subscriptions)
    this.#followed = new FollowedBooks(
      new BookEvidence(link, {
        ask: (book) => this.#subscriptions.askSnapshots([book]),
        contradicted: (book, found) => shared.contradicted(book, found),
      }),
    )
    if (rest === null || link.isReplay) return
    this.#resync = new RestResync({
      rest,
      timers: link.timers,
      isWaiting: (ticker) => this.#subscriptions.wanted.has(ticker) && !this.#clean.has(ticker),
      take: (ticker, body, levels) => this.#takeRest(ticker, body, levels),
      note: (name, fields) => link.state(name, fields),
    })
  }

  #port() {
    const link = this.#link
    return {
      send: (id: number, command: Command) => void link.send(commandText(id, command)),
      ended: (channel: string, sid: number | undefined, { code, text }: { code: number | undefined; text: string }) => {
        this.#partial.begin()
        if (sid !== undefined) this.#sequence.forget(sid)
        link.state('subscription_ended', { channel, sid, code, text })
        this.#lose({ reason: code === ERROR_CODE.overflow ? 'overflow' : 'resync', scope: 'subscription' })
      },
      hasHeard: (withinMs: number) => msOf(link.clock.monoNs()) - this.#dataMonoMs < withinMs,
      isNews: (unanswered: readonly string[]) => {
        const { silentBooks } = this.#shared
        const before = silentBooks.size
        for (const ticker of unanswered) silentBooks.add(ticker)
        return silentBooks.size > before
      },
      failed: (because: string) => link.reconnect('silence', because),
      halveLimit: () => this.#shared.halveLimit(),
      refused: (tickers: readonly string[], because: string) => {
        for (const ticker of tickers) this.#forget(ticker)
        link.refused(tickers, because)
      },
      note: (name: string, fields: Record<string, unknown>) => link.state(name, fields),
    }
  }

  takeLifecycle(): void {
    this.#subscriptions.takeLifecycle()
  }

  add(books: readonly BookId[]): void {
    for (const book of books) this.#followed.add(book)
    this.#subscriptions.add(books)
  }

  remove(books: readonly BookId[]): void {
    for (const book of books) this.#forget(book)
    this.#subscriptions.remove(books)
  }

  read(text: string, { saidMs, monoNs }: FrameStamp): void {
    const messages = messagesIn(text)
    if (messages === undefined) throw new SyntaxError('the frame is not JSON')
    for (const message of messages) {
      this.#venueMs = message.venueMs ?? this.#venueMs ?? saidMs
      this.#read(message, msOf(monoNs))
      if (message.sid !== undefined) this.#lastSeenMs.set(message.sid, this.#venueMs)
    }
  }

  ping(): void {
    this.#link.heartbeat('ping', '')
  }

  snapshotsMissing(books: readonly BookId[]): void {
    this.#subscriptions.askSnapshots(books)
    // A book from REST needs the changes that follow it. They are lost until the venue confirms the market.
    this.#resync?.ask(books.filter((book) => this.#subscriptions.isConfirmed(book)))
  }

  /** Requests new snapshots of these books, because the venue has removed orders without a message. */
  refresh(books: readonly BookId[]): void {
    this.#subscriptions.askSnapshots(books)
  }

  close(): void {
    this.#cancelResync?.()
    this.#subscriptions.close()
    this.#resync?.close()
    this.#followed.close()
    this.#clean.clear()
    this.#shared.closed(this)
  }

  get books(): ReadonlySet<BookId> {
    return this.#subscriptions.wanted
  }

  /** Books that can be compared with REST now. */
  get knownBooks(): ReadonlySet<BookId> {
    return this.#clean
  }

  /** Opens an audit window on a book. Returns undefined if the book is not known. */
  watch(book: BookId): AuditWindow | undefined {
    return this.#clean.has(book) ? this.#followed.watch(book) : undefined
  }

  /** Closes the audit window of a book and reports the result. `restLevels` is undefined if REST has no such book. */
  conclude(book: BookId, restLevels: Levels | undefined): void {
    const result = this.#followed.conclude(book, restLevels)
    if (result === undefined) return
    this.#link.audit(book, book, result)
    // A socket that answers pings but has stopped sending does not answer this request, and is then replaced.
    if (result === 'inconsistent') this.#subscriptions.askSnapshots([book])
  }

  #read(message: KalshiMessage, monoMs: number): void {
    const { type, sid, seq, market } = message
    if (sid !== undefined && seq !== undefined && !this.#isNew(message, sid, seq)) return this.#link.aside()
    if (REPLIES.has(type)) {
      this.#subscriptions.read(message)
      return this.#subscriptions.askSnapshots(this.#partial.takeWhole())
    }
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

  /** Checks the sequence number. Returns false for a repeated message: it is written to the segment, but must not
   *  become a record, which would change the book twice. */
  #isNew({ type }: KalshiMessage, sid: number, seq: number): boolean {
    const verdict = this.#sequence.accept(sid, seq)
    if (verdict === 'next') return true
    // A reply that repeats a number is still the reply.
    if (verdict === 'duplicate') return REPLIES.has(type)
    this.#link.state('sequence_hole', { sid, ...verdict })
    // A loss on the lifecycle channel affects no book.
    if (LIFECYCLE_TYPES.has(type)) return true
    const lost = [...this.#clean]
    const lastSeenMs = this.#lastSeenMs.get(sid)
    const since = lastSeenMs === undefined ? {} : { sinceMs: lastSeenMs }
    this.#lose({ reason: 'sequence_hole', scope: 'subscription', ...verdict, ...since })
    for (const book of lost) this.#unclean.add(book)
    this.#subscriptions.askSnapshots(lost)
    const { resyncMs } = this.#shared.settings
    this.#cancelResync ??= this.#link.timers.after(resyncMs, () => this.#replaceUnclean())
    return true
  }

  #replaceUnclean(): void {
    this.#cancelResync = undefined
    if (this.#unclean.size === 0) return
    const { resyncMs } = this.#shared.settings
    const because = `${this.#unclean.size} books had no snapshot within ${resyncMs} ms of a hole`
    this.#link.reconnect('sequence_hole', because)
  }

  #lose(loss: Loss): void {
    this.#clean.clear()
    this.#followed.lose()
    this.#link.lost(this.#subscriptions.wanted, loss)
  }

  #snapshot(message: KalshiMessage, market: BookId): void {
    const { msg, seq } = message
    if (this.#partial.has(market)) {
      this.#link.changed(market, market)
      return this.#subscriptions.read(message)
    }
    this.#link.snapshot(market, { market, by: 'snapshot', ...(seq === undefined ? {} : { seq }) })
    this.#resync?.touched(market)
    this.#shared.silentBooks.delete(market)
    this.#established(market)
    this.#subscriptions.read(message)
    // Last, because it may request another snapshot, which this one must not count as the answer to.
    this.#followed.snapshot(market, msg)
  }

  #delta({ msg }: KalshiMessage, market: BookId): void {
    this.#link.changed(market, market)
    this.#resync?.touched(market)
    this.#followed.change(market, msg)
  }

  #takeRest(ticker: string, body: string, levels: Levels): void {
    if (this.#partial.has(ticker)) return
    this.#link.snapshot(ticker, { market: ticker, by: 'rest_book' })
    this.#link.rest(body, ticker)
    // The socket did not send this book, but it is only quiet: this counts as data.
    this.#dataMonoMs = msOf(this.#link.clock.monoNs())
    this.#followed.become(ticker, levels)
    this.#established(ticker)
  }

  #established(book: BookId): void {
    if (this.#subscriptions.wanted.has(book)) this.#clean.add(book)
    this.#unclean.delete(book)
    if (this.#unclean.size > 0) return
    this.#cancelResync?.()
    this.#cancelResync = undefined
  }

  #lifecycle(message: KalshiMessage): void {
    this.#link.data(message.venueMs ?? Number.NaN, this.#venueMs)
    const { market } = message
    if (!this.#shared.lifecycle(message)) this.#link.aside()
    else if (market !== undefined && this.#subscriptions.wanted.has(market)) this.#link.changed(market, market)
  }

  #forget(book: BookId): void {
    this.#clean.delete(book)
    this.#unclean.delete(book)
    this.#followed.forget(book)
  }
}
