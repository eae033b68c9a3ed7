// One socket from its opening to its end: stamps each frame, lets the protocol read it, and writes it to the socket's
// segment. The state of the books belongs to the connection, which may have two sockets for a while.

import type { AuditResult } from '../../../storage/finding/audits.ts'
import { IDENTITIES } from '../../../storage/venue.ts'
import type { GapReason } from '../../../workers/segment/segment-lines.ts'
import { HourlySegment } from '../segments/segment-files.ts'
import { count } from '../status/recorder-stats.ts'
import { DeadlineTimer, msOf } from '../time/clock.ts'
import { BookRequests } from './book-requests.ts'
import type { SessionContext, SessionEvents } from './connection-options.ts'
import { FrameTimes, isNear } from './frame-times.ts'
import type { GapTracker } from './gap-tracker.ts'
import { isHeartbeat, Liveness, type Verdict } from './liveness.ts'
import type { BookId, Link, Loss, ProtocolSession, SnapshotSeen } from './venue-protocol.ts'
import { isReplay, type OpenedSocket, type SocketEnd, STAMPED_PROTOCOL, withoutSecrets } from './web-socket.ts'

export class SocketSession implements Link {
  readonly connectionId: string
  readonly trust: GapTracker
  isReplay = false
  liveness: Liveness | undefined
  readonly #context: SessionContext
  readonly #events: SessionEvents
  #socket: OpenedSocket | undefined
  #segments: HourlySegment | undefined
  #protocol: ProtocolSession | undefined
  #requests: BookRequests | undefined
  /** Calls the protocol when a deadline has passed. */
  readonly #deadlines: DeadlineTimer
  #state: 'connecting' | 'open' | 'ended' = 'connecting'
  #times: FrameTimes
  #isAside = false
  /** Time of the last complete flush before an overflow, Unix ms. Lines after this time were dropped. Infinity without
   *  an overflow. */
  writtenMs = Number.POSITIVE_INFINITY

  /** Starts to connect. Throws if the URL is invalid or the handshake cannot be signed. */
  constructor(connectionId: string, context: SessionContext, tracker: GapTracker, events: SessionEvents) {
    this.connectionId = connectionId
    this.#context = context
    this.trust = tracker
    this.#events = events
    this.#times = this.#newTimes()
    this.#deadlines = new DeadlineTimer(context, (nowMs) => this.protocol?.due(nowMs) ?? Number.POSITIVE_INFINITY)
    const handshake = context.protocol.handshake()
    this.#socket = context.openSocket(handshake, isReplay(handshake.url) ? [STAMPED_PROTOCOL] : [], {
      opened: (protocol) => this.#opened(protocol, withoutSecrets(handshake.url)),
      text: (text) => this.#text(text),
      alive: () => this.liveness?.frame(),
      ended: (end) => this.#end(end, null),
    })
  }

  get isOpen(): boolean {
    return this.#state === 'open'
  }

  /** The protocol on this socket; undefined before it is open. */
  get protocol(): ProtocolSession | undefined {
    return this.isOpen ? this.#protocol : undefined
  }

  get pendingLength(): number {
    return this.#segments?.pendingLength ?? 0
  }

  /** Time up to which no message is missing, Unix ms: the time of the last data, by the venue's clock if the data has a
   *  time. */
  get completeUntilMs(): number {
    return this.#times.completeUntilMs
  }

  /** The current time by the venue's clock as far as known, Unix ms; for a replay the time of its last frame. */
  get nowMs(): number {
    return this.#times.venueNowMs
  }

  get monoMs(): number {
    return this.#deadlines.nowMs
  }

  wakeAt(monoMs: number): void {
    if (this.isOpen) this.#deadlines.wakeAt(monoMs)
  }

  requestBooks(books: readonly BookId[]): void {
    this.#requests?.ask(books)
  }

  /** Sends a ping if one is due, and replaces a dead or silent socket. Must be called about once a second while the
   *  socket is open. */
  check(): Verdict {
    const verdict = this.liveness?.check(this.monoMs, this.trust.books) ?? null
    const { heartbeat } = this.#context.protocol
    if (verdict === 'ping') heartbeat === null ? this.#socket?.ping('') : this.#socket?.send(heartbeat)
    if (verdict === 'dead') this.reconnect('silence', 'no sign of life after a ping')
    if (verdict === 'silent') this.reconnect('silence', 'no data for too long')
    return verdict
  }

  /** Writes all waiting lines to disk. Throws disk errors. */
  flush(): void {
    const completeMs = this.#times.completeUntilMs
    if (this.#segments?.flush() === true) return this.reconnect('overflow', 'the disk takes lines again')
    this.#times.flushed(completeMs)
  }

  /** Drops the waiting lines, and later lines until the disk takes lines. Returns the number of waiting lines. */
  overflow(): number {
    this.#times.dropUnwritten()
    this.writtenMs = this.#times.flushedAtMs
    return this.#segments?.overflow() ?? 0
  }

  /** Closes the socket normally, without an `ended` event. */
  leave(because: string): void {
    if (this.#state === 'ended') return
    this.state('leave', { because })
    this.#stop()
    this.#socket?.close()
  }

  /** Closes the segment of a socket that has ended. Throws disk errors. */
  close(): void {
    this.#segments?.close({ because: 'end' })
    this.#segments = undefined
  }

  abandon(): void {
    this.#segments?.abandon()
    this.#segments = undefined
  }

  /** Writes a gap to the segment. Returns false if there is no segment, or its lines are being dropped. */
  gap(line: Parameters<HourlySegment['segment']['gap']>[0]): boolean {
    if (this.#segments === undefined || this.#segments.isOverflowing) return false
    this.#segments.segment.gap(line)
    this.#times.gap(line.msg.from)
    count(this.#context.stats.gaps, line.msg.reason)
    return true
  }

  send(command: string): boolean {
    if (!this.isOpen || this.#socket?.send(command) !== true) return false
    this.#segments?.segment.control('command', { text: command })
    return true
  }

  data(venueMs: number, notBeforeMs = venueMs): void {
    const { stats } = this.#context
    const { sentMs, monoNs } = this.#times.last
    this.liveness?.data(msOf(monoNs))
    stats.lastDataMs = this.#times.machineMs
    if (!this.isReplay && isNear(venueMs, sentMs)) stats.messageAge.add(sentMs - venueMs, sentMs)
    this.#times.data(venueMs, notBeforeMs)
  }

  snapshot(book: BookId, seen: SnapshotSeen): void {
    // While the segment drops its lines, a snapshot is not written to the segment, so it must not close a gap.
    if (this.#segments?.isOverflowing === true) return
    const [flushedMs, storedMs] = [this.#times.flushedAtMs, this.#times.storedMs(seen.venueMs)]
    const at = { connection: this.connectionId, nowMs: this.nowMs, flushedMs, storedMs }
    const missed = this.trust.missed(book, seen.hash, at.nowMs)
    for (const line of this.trust.snapshot(book, seen, at)) this.gap(line)
    this.#events.snapshot(book, missed)
  }

  changed(book: BookId, market: string, hash?: string): void {
    const times = { venueMs: this.#times.venueMs, receivedMs: this.#times.nowMs }
    for (const line of this.trust.changed(book, { market, hash, ...times }, this.nowMs)) this.gap(line)
  }

  lost(books: Iterable<BookId>, loss: Loss): void {
    this.#events.lost(books, loss)
  }

  aside(): void {
    this.#isAside = true
  }

  unknown(kind: string): void {
    count(this.#context.stats.unknown, kind)
  }

  rest(body: string, ticker?: string): void {
    this.#segments?.segment.rest(body, this.#context.clock.wallNs(), ticker)
    this.#context.stats.restBooks++
  }

  audit(book: BookId, market: string, result: AuditResult): void {
    const { venue } = this.#context.protocol
    this.#segments?.segment.audit({ venue, market, ...(IDENTITIES[venue].hasAssets && { assetId: book }), result })
    this.#context.stats.audits[result]++
  }

  /** Makes this the primary socket: writes the state of all books to its segment. */
  takeOver(): void {
    this.#segments?.segment.control('state', this.#carried())
  }

  #carried() {
    const [until, age] = [this.completeUntilMs, this.#context.stats.messageAge.min]
    return {
      ...{ state: 'carries', all: true, until },
      // `ours` marks that `until` is by this machine's clock, because no frame has had a venue time so far. A later
      // frame with a venue time replaces it.
      ...(this.#times.isOurs && { ours: true }),
      ...(age !== null && { ahead: -age }),
      ...this.trust.carriedSince(this.#events.books(), until, this.connectionId),
    }
  }

  state(name: string, fields: Record<string, unknown> = {}): void {
    this.#segments?.segment.control('state', { state: name, ...fields })
  }

  reconnect(reason: GapReason, because: string): void {
    if (this.#state === 'ended') return
    this.state('reconnect', { reason, because })
    this.#end({ code: 1006, reason: because, status: null, retryAfter: null }, reason)
    this.#socket?.terminate()
  }

  refused(books: readonly BookId[], because: string): void {
    this.state('refused', { books, because })
    this.#events.refused(books, because)
  }

  #newTimes(): FrameTimes {
    const { clock, stats } = this.#context
    return new FrameTimes(clock, this.isReplay, () => stats.messageAge.clockAheadMs)
  }

  #opened(subprotocol: string, url: string): void {
    if (this.#state !== 'connecting') return
    const { protocol, openSegment, limits, timers, random } = this.#context
    this.isReplay = subprotocol === STAMPED_PROTOCOL
    const { venue, useYesPrice, bookSource } = protocol
    const clock = this.isReplay ? ('replay' as const) : ('machine' as const)
    const header = { venue, useYesPrice, connection: this.connectionId, url, clock }
    try {
      this.#segments = new HourlySegment(openSegment, header, this.#context.clock, (segment) =>
        segment.control('state', this.#events.standsBy() ? { state: 'standby' } : this.#carried()),
      )
    } catch (error) {
      return this.reconnect('overflow', String(error))
    }
    this.#state = 'open'
    this.#times = this.#newTimes()
    // The socket of a replay is not replaced for silence or age: a replay may pause, and a new socket would restart it.
    const patient = this.isReplay ? { ...limits, silenceMs: null, rotateMs: null } : limits
    this.liveness = new Liveness(patient, random, this.monoMs)
    this.state('open')
    this.#protocol = protocol.open(this)
    if (bookSource !== null && !this.isReplay)
      this.#requests = new BookRequests(bookSource, timers, this.#protocol, (...state) => this.state(...state))
    this.#events.opened()
  }

  #text(frame: string): void {
    if (this.#state !== 'open' || this.#segments === undefined) return
    const text = this.#times.stamp(frame)
    const { recvNs, monoNs } = this.#times.last
    this.liveness?.frame()
    const { stats } = this.#context
    stats.lastFrameMs = this.#times.machineMs
    if (isHeartbeat(frame)) return count(stats.skipped, 'heartbeat')
    stats.frames++
    stats.bytes += frame.length
    if (this.#segments.isOverflowing) return this.#segments.drop()
    this.#times.beginFrame()
    this.#isAside = false
    const { segment } = this.#segments
    try {
      this.#protocol?.read(text, this.#times.last)
    } catch (error) {
      count(stats.unknown, error instanceof SyntaxError ? 'no JSON' : 'not understood')
    } finally {
      if (this.#isAside) segment.control('state', { state: 'aside', text })
      else segment.frame(text, recvNs, monoNs)
    }
    this.#times.endFrame()
  }

  #end(end: SocketEnd, loss: GapReason | null): void {
    if (this.#state === 'ended') return
    const wasOpen = this.isOpen
    this.state('close', { code: end.code, reason: end.reason })
    this.#stop()
    this.#events.ended({ ...end, loss, wasOpen })
  }

  #stop(): void {
    this.#state = 'ended'
    this.#deadlines.cancel()
    this.#requests?.close()
    this.#protocol?.close()
  }
}
