// Records a set of books for as long as they are wanted. Opens a socket, and another one when that socket ends. From
// time to time opens a standby socket in addition to the primary, so that no message is missed when the two swap.

import type { GapLine } from '../../../workers/segment/segment-lines.ts'
import { count } from '../status/recorder-stats.ts'
import { msOf } from '../time/clock.ts'
import { Attempts } from './attempts.ts'
import { CarriedBooks } from './carried-books.ts'
import type { ConnectionOptions, SessionEnd } from './connection-options.ts'
import { EndedSessions, errorsOf } from './ended-sessions.ts'
import type { MissedChange } from './gap-lines.ts'
import type { LastSeen } from './gap-tracker.ts'
import { SocketSession } from './socket-session.ts'
import { Standby } from './standby.ts'
import type { BookId, Loss } from './venue-protocol.ts'
import { isOrderly } from './web-socket.ts'

/** Pause after a new socket could not replace the old one. */
const ROTATE_AGAIN_MS = 60_000

export class Connection {
  readonly #options: ConnectionOptions
  readonly #books: CarriedBooks
  readonly #attempts: Attempts
  readonly #standby = new Standby()
  readonly #endedSessions: EndedSessions
  /** The primary socket, and the last primary that was open. */
  #primary: SocketSession | undefined
  #last: SocketSession | undefined
  #rotateNotBeforeMs = Number.NEGATIVE_INFINITY
  #sockets = 0
  #state: 'idle' | 'running' | 'finished' | 'stopped' = 'idle'

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#books = new CarriedBooks(options.protocol, options.limits, options.stats)
    this.#attempts = new Attempts(options.limits, options)
    const { openSegment, protocol, id } = options
    const header = { venue: protocol.venue, useYesPrice: protocol.useYesPrice, url: '', clock: 'machine' } as const
    this.#endedSessions = new EndedSessions(() => openSegment({ ...header, connection: `${id}-${++this.#sockets}` }))
  }

  get books(): ReadonlySet<BookId> {
    return this.#books.ids
  }

  get isOpen(): boolean {
    return this.#primary?.isOpen === true
  }

  get isFinished(): boolean {
    return this.#state === 'finished'
  }

  /** Number of books without a snapshot since they were subscribed or lost. */
  get booksLost(): number {
    return this.#books.ids.size - this.#books.tracker.whole
  }

  /** Whether the socket is open and no book waits for a snapshot, or the venue has finished. */
  get isSettled(): boolean {
    return this.isFinished || (this.isOpen && this.#books.waiting === 0)
  }

  /** UTF-16 units that wait to be written to disk. */
  get pendingLength(): number {
    return [this.#endedSessions, ...this.#openSessions()].reduce((sum, { pendingLength }) => sum + pendingLength, 0)
  }

  /** Starts to connect. A connection without books only receives messages that need no subscription to a book. */
  start(): void {
    if (this.#state !== 'idle') return
    this.#state = 'running'
    this.#connectAfter(0)
  }

  /** Adds books. `lastSeen` has the last-seen times of the books that were recorded before. Each of these books has a
   *  gap since that time. */
  add(books: readonly BookId[], market: string | null, lastSeen?: ReadonlyMap<BookId, LastSeen>): void {
    const added = this.#books.add(books, market, this.#options.id, lastSeen)
    if (added.length === 0) return
    if (this.isOpen) this.#books.expect(added, this.#monoMs())
    this.state('carries', this.#books.tracker.carried(added))
    this.#primary?.protocol?.add(added)
    this.#standby.session?.protocol?.add(added)
  }

  remove(books: readonly BookId[]): void {
    const { removed, gaps } = this.#books.remove(books, this.#nowMs())
    if (removed.length === 0) return
    this.state('drops', { books: removed })
    this.#primary?.protocol?.remove(removed)
    this.#standby.session?.protocol?.remove(removed)
    this.#writeGaps(gaps)
    for (const book of removed) this.#standby.forget(book, this.#monoMs())
  }

  /** Opens a standby socket. The primary is closed when the standby has all snapshots. */
  rotate(): void {
    const isFree = () => this.#state === 'running' && this.isOpen && this.#standby.session === undefined
    if (!isFree() || this.#monoMs() < this.#rotateNotBeforeMs) return
    this.#rotateNotBeforeMs = this.#monoMs() + ROTATE_AGAIN_MS
    this.#attempts.after(0, () => isFree() && this.#open('standby'))
  }

  /** Handles heartbeats, deadlines and rotation. Must be called about once a second. */
  check(): void {
    if (this.#primary?.isOpen === true && this.#primary.check() === 'rotate') this.rotate()
    if (this.#standby.isOpen) this.#standby.session?.check()
    if (this.#standby.isLate(this.#monoMs())) {
      if (this.#standby.sentNone) this.#dropStandby('no snapshot')
      else this.#swap()
    }
    const session = this.#primary?.protocol
    if (session === undefined || this.#primary?.isReplay === true) return
    const missing = this.#books.overdue(this.#monoMs())
    if (missing.length > 0) session.snapshotsMissing(missing)
  }

  /** Writes all waiting lines to disk. Returns the errors of sockets that failed. */
  flush(): unknown[] {
    const failures = this.#endedSessions.flush()
    // The state that a socket writes about its books is true only if all earlier messages are on disk.
    if (failures.length === 0) failures.push(...this.#openSessions().flatMap((of) => errorsOf(() => of.flush())))
    if (failures.length === 0) this.#books.tracker.flushed()
    return failures
  }

  /** Drops all waiting lines. All books are lost until lines can be written again. Returns the number of dropped
   *  lines. */
  overflow(): number {
    const ended = this.#endedSessions.abandon()
    const sessions = [...ended, ...this.#openSessions()]
    const dropped = sessions.reduce((sum, session) => sum + session.overflow(), 0)
    this.#writeGaps(this.#books.overflow(sessions))
    for (const session of ended) session.abandon()
    return dropped
  }

  /** Writes a state to the segment of the primary socket. */
  state(name: string, fields: Record<string, unknown>): void {
    this.#primary?.state(name, fields)
  }

  /** Ends all sockets. Closes the open gaps now and writes them. The caller must call `flush` afterwards. */
  stop(): void {
    if (this.#state === 'stopped') return
    this.#state = 'stopped'
    this.#attempts.cancel()
    this.#writeGaps(this.#books.tracker.end(this.#nowMs()))
    this.#dropStandby('stop')
    if (this.#primary !== undefined) this.#leave(this.#primary, 'stop')
  }

  #openSessions(): SocketSession[] {
    return [this.#primary, this.#standby.session].filter((session) => session?.isOpen === true) as SocketSession[]
  }

  #connectAfter(ms: number): void {
    this.#attempts.after(ms, () => this.#state === 'running' && this.#open('primary'))
  }

  #open(role: 'primary' | 'standby'): void {
    const id = `${this.#options.id}-${++this.#sockets}`
    try {
      const session: SocketSession = new SocketSession(id, this.#options, this.#books.tracker, {
        books: () => this.#books.ids,
        standsBy: () => session === this.#standby.session,
        opened: () => this.#opened(session),
        snapshot: (...seen) => this.#snapshot(session, ...seen),
        lost: (books, loss) => this.#lose(books, loss, session),
        refused: (books) => {
          const lastSeen = this.#books.tracker.moving(books, session.completeUntilMs)
          this.remove(books)
          this.#options.events.refused(books, lastSeen)
        },
        ended: (end) => this.#ended(session, end),
      })
      if (role === 'primary') this.#primary = session
      else this.#standby.session = session
    } catch (error) {
      this.#options.events.warn({ connection: id, because: String(error) }, 'a connection cannot be opened')
      this.#options.stats.connectFailures++
      if (role === 'primary') this.#connectAfter(this.#attempts.afterFailure())
    }
  }

  #opened(session: SocketSession): void {
    this.#options.events.opened()
    const isStandby = session === this.#standby.session
    // The new socket writes the state of its books. This state is true only if all earlier messages are on disk.
    if (!isStandby) this.#endedSessions.flush()
    if (isStandby) this.#standby.owe(this.#books.whole, this.#monoMs(), this.#options.limits.snapshotMs)
    else this.#books.expectAll(this.#monoMs())
    session.protocol?.add([...this.#books.ids])
  }

  #snapshot(session: SocketSession, book: BookId, missed: MissedChange | undefined): void {
    if (session !== this.#standby.session) {
      this.#books.met(book)
      return this.#standby.owesToo(book)
    }
    this.#standby.paid(book, missed, this.#monoMs())
  }

  #lose(books: Iterable<BookId>, loss: Loss, session = this.#primary): void {
    if (session === undefined || session === this.#standby.session) return
    this.#books.expect(this.#books.lose(books, loss, session), this.#monoMs())
  }

  #swap(): void {
    const old = this.#primary
    if (old === undefined || this.#standby.session === undefined) return
    this.#writeMissedGaps(old)
    // The standby may not receive the messages of a book whose snapshot it has not received.
    const missing = this.#books.ids.difference(this.#standby.given)
    this.#books.lose(missing, { reason: 'resync', scope: 'connection' }, old)
    this.#leave(old, 'rotation')
    this.#options.stats.rotations++
    this.#promote()
  }

  /** `because` is null if the standby has ended by itself. */
  #dropStandby(because: string | null): void {
    const { session, given } = this.#standby.take()
    if (session === undefined) return
    this.#books.loseUnmet(given, session, (...of) => this.state(...of))
    if (because !== null) this.#leave(session, because)
  }

  #leave(session: SocketSession, because: string): void {
    session.leave(because)
    this.#endedSessions.add(session)
  }

  #ended(session: SocketSession, end: SessionEnd): void {
    this.#endedSessions.add(session)
    if (session === this.#standby.session) {
      if (this.#primary !== undefined) this.#writeMissedGaps(this.#primary)
      this.#dropStandby(null)
    }
    if (session !== this.#primary) return
    this.#primary = undefined
    if (end.wasOpen) this.#last = session
    if (end.wasOpen && this.#options.endsWithVenue && isOrderly(end)) {
      this.#state = 'finished'
      this.#dropStandby('finished')
      return this.#writeGaps(this.#books.tracker.end(this.#nowMs()))
    }
    if (end.wasOpen) this.#lostAllOf(session, end)
    if (this.#state !== 'running') return
    if (this.#standby.session !== undefined) return this.#promote()
    this.#connectAfter(this.#attempts.afterEnd(session, end))
  }

  #lostAllOf(session: SocketSession, { loss, code, reason }: SessionEnd): void {
    const { protocol, stats, events } = this.#options
    this.#writeMissedGaps(session)
    const because = loss ?? (protocol.isPlannedOutage(this.#nowMs()) ? 'maintenance' : 'disconnect')
    const kept = new Set(this.#books.whole.filter((book) => this.#standby.has(book)))
    this.#books.lose(this.#books.ids.difference(kept), { reason: because, scope: 'connection' }, session)
    count(stats.reconnects, because)
    events.warn({ connection: session.connectionId, loss: because, code, reason }, 'a connection ended')
  }

  /** Writes gaps for changes that only the successor of the old socket shows, because the old socket was frozen and did
   *  not receive them. The gaps go to the segment of the old socket, after its messages. */
  #writeMissedGaps(old: SocketSession): void {
    for (const gap of this.#standby.gapsOf(old, this.#books.tracker)) if (!old.gap(gap)) this.#writeGaps([gap])
  }

  /** Makes the standby the primary socket, even if some of its snapshots are missing. */
  #promote(): void {
    const { session, owed, given } = this.#standby.take()
    this.#primary = session
    if (session?.isOpen !== true) return
    for (const book of this.#books.whole) if (given.has(book)) this.#books.met(book)
    this.#endedSessions.flush()
    session.takeOver()
    this.#books.expect(owed, this.#monoMs())
  }

  #writeGaps(gaps: GapLine[]): void {
    const isWritten = (gap: GapLine) => this.#openSessions().some((session) => session.gap(gap))
    for (const gap of gaps) if (!isWritten(gap)) this.#endedSessions.gap(gap)
  }

  #nowMs(): number {
    const session = this.#primary?.isOpen === true ? this.#primary : this.#last
    return session?.nowMs ?? msOf(this.#options.clock.wallNs())
  }

  #monoMs(): number {
    return msOf(this.#options.clock.monoNs())
  }
}
