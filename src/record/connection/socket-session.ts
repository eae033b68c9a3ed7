// One socket from its opening to its end: stamps each frame, lets the protocol read it, and writes it to the socket's
// segment. The state of the books belongs to the connection, which may have two sockets for a while.

import type { Timers } from '../../../storage/retry/timers.ts'
import type { GapReason } from '../../../workers/segment/segment-lines.ts'
import { SegmentKeeper } from '../segments/segment-keeper.ts'
import { type AuditResult, count } from '../status/recorder-figures.ts'
import { type Clock, msOf, type Random } from './clock.ts'
import type { SessionEvents, SessionSurroundings } from './connection-options.ts'
import { FrameClock, isNear, LastReceived } from './frame-clock.ts'
import type { GapTracker } from './gap-tracker.ts'
import { isHeartbeat, Liveness, type Verdict } from './liveness.ts'
import type { BookId, Link, Loss, ProtocolSession, SnapshotSeen } from './venue-protocol.ts'
import { isReplay, type OpenedSocket, type SocketEnd, STAMPED_PROTOCOL, withoutSecrets } from './web-socket.ts'

export class SocketSession implements Link {
  readonly connectionId: string
  readonly clock: Clock
  readonly timers: Timers
  readonly random: Random
  isReplay = false
  liveness: Liveness | undefined
  readonly #surroundings: SessionSurroundings
  readonly #tracker: GapTracker
  readonly #events: SessionEvents
  readonly #url: string
  #socket: OpenedSocket | undefined
  #keeper: SegmentKeeper | undefined
  #protocol: ProtocolSession | undefined
  #state: 'connecting' | 'open' | 'ended' = 'connecting'
  #frames: FrameClock
  #isAside = false
  #heard: LastReceived
  /** `#heard.ms` at the last complete flush, and the time of that flush by this machine's clock; Unix ms. */
  #flushedUntilMs: number
  #flushedAtMs: number
  /** Last complete flush before an overflow, Unix ms: later lines were dropped. Infinity without an overflow. */
  writtenMs = Number.POSITIVE_INFINITY
  /** Earliest start of the gaps that are not flushed to disk yet, Unix ms. */
  #unwrittenFromMs = Number.POSITIVE_INFINITY

  /** Starts to connect. Throws if the URL is invalid or the handshake cannot be signed. */
  constructor(connectionId: string, surroundings: SessionSurroundings, tracker: GapTracker, events: SessionEvents) {
    this.connectionId = connectionId
    this.clock = surroundings.clock
    this.timers = surroundings.timers
    this.random = surroundings.random
    this.#surroundings = surroundings
    this.#tracker = tracker
    this.#events = events
    this.#frames = new FrameClock(this.clock, false)
    this.#heard = new LastReceived(this.nowMs)
    this.#flushedUntilMs = this.#heard.ms
    this.#flushedAtMs = this.#frames.nowMs
    const handshake = surroundings.protocol.handshake()
    this.#url = withoutSecrets(handshake.url)
    this.#socket = surroundings.openSocket(handshake, isReplay(handshake.url) ? [STAMPED_PROTOCOL] : [], {
      opened: (protocol) => this.#opened(protocol),
      text: (text) => this.#text(text),
      heard: () => this.liveness?.frame(),
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
    return this.#keeper?.pendingLength ?? 0
  }

  /** Time up to which no message is missing, Unix ms: the last data, by the venue's clock if it has a time. */
  get heardUntilMs(): number {
    return this.#keeper?.isOverflowing === true ? this.#flushedUntilMs : this.#heard.ms
  }

  /** The current time by the venue's clock as far as known, Unix ms; for a replay the time of its last frame. */
  get nowMs(): number {
    return this.#frames.nowMs - (this.isReplay ? 0 : this.#surroundings.figures.messageAge.clockAheadMs)
  }

  /** Pings if it is due, and replaces a dead or silent socket. Must be called about once a second while it is open. */
  look(): Verdict {
    const verdict = this.liveness?.look(msOf(this.clock.monoNs()), this.#tracker.books) ?? null
    if (verdict === 'ping') this.#protocol?.ping()
    if (verdict === 'dead') this.reconnect('silence', 'no sign of life after a ping')
    if (verdict === 'silent') this.reconnect('silence', 'no data for too long')
    return verdict
  }

  /** Writes all waiting lines to disk. Throws disk errors. */
  flush(): void {
    const heardMs = this.#heard.ms
    if (this.#keeper?.flush() === true) {
      this.#heard.ms = this.#flushedUntilMs
      return this.reconnect('overflow', 'the disk takes lines again')
    }
    this.#flushedUntilMs = heardMs
    this.#flushedAtMs = this.#frames.nowMs
    this.#unwrittenFromMs = Number.POSITIVE_INFINITY
  }

  /** Drops the waiting lines and further ones until lines can be written again. Returns how many it dropped now. */
  overflow(): number {
    this.#flushedUntilMs = Math.min(this.#flushedUntilMs, this.#unwrittenFromMs)
    this.writtenMs = this.#flushedAtMs
    return this.#keeper?.overflow() ?? 0
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
    this.#keeper?.close({ because: 'end' })
    this.#keeper = undefined
  }

  abandon(): void {
    this.#keeper?.abandon()
    this.#keeper = undefined
  }

  /** Writes a gap to the segment. Returns false if there is no segment, or its lines are being dropped. */
  gap(line: Parameters<SegmentKeeper['segment']['gap']>[0]): boolean {
    if (this.#keeper === undefined || this.#keeper.isOverflowing) return false
    this.#keeper.segment.gap(line)
    this.#unwrittenFromMs = Math.min(this.#unwrittenFromMs, line.msg.from)
    count(this.#surroundings.figures.gaps, line.msg.reason)
    return true
  }

  send(command: string): boolean {
    if (!this.isOpen || this.#socket?.send(command) !== true) return false
    this.#keeper?.segment.control('command', { text: command })
    return true
  }

  heartbeat(kind: 'text' | 'ping', payload: string): void {
    if (this.isOpen) this.#socket?.[kind === 'text' ? 'send' : 'ping'](payload)
  }

  data(venueMs: number, notBeforeMs = venueMs): void {
    const { figures } = this.#surroundings
    const { saidMs, monoNs } = this.#frames.last
    this.liveness?.data(msOf(monoNs))
    figures.lastDataMs = this.#frames.machineMs
    if (!this.isReplay && isNear(venueMs, saidMs)) figures.messageAge.add(saidMs - venueMs, saidMs)
    this.#heard.data(venueMs, notBeforeMs, { saidMs, isReplay: this.isReplay })
  }

  snapshot(book: BookId, seen: SnapshotSeen): void {
    // A book that is not written to the segment must not close a gap.
    if (this.#keeper?.isOverflowing === true) return
    const at = { connection: this.connectionId, nowMs: this.nowMs, flushedMs: this.#flushedAtMs }
    const unheard = this.#tracker.unheard(book, seen.hash, at.nowMs)
    // If another book of the market is stored with its arrival time, this one gets that time too: takes the later one.
    const receivedMs = this.#frames.nowMs
    const storedMs = isNear(seen.venueMs ?? Number.NaN, receivedMs) ? Math.max(receivedMs, seen.venueMs!) : receivedMs
    for (const line of this.#tracker.snapshot(book, seen, { ...at, storedMs })) this.gap(line)
    this.#events.snapshot(book, unheard)
  }

  changed(book: BookId, market: string, hash?: string): void {
    const times = { venueMs: this.#heard.venueMs, receivedMs: this.#frames.nowMs }
    for (const line of this.#tracker.changed(book, { market, hash, ...times }, this.nowMs)) this.gap(line)
  }

  lost(books: Iterable<BookId>, loss: Loss): void {
    this.#events.lost(books, loss)
  }

  aside(): void {
    this.#isAside = true
  }

  unknown(kind: string): void {
    count(this.#surroundings.figures.unknown, kind)
  }

  rest(body: string, ticker?: string): void {
    this.#keeper?.segment.rest(body, this.clock.wallNs(), ticker)
    this.#surroundings.figures.restBooks++
  }

  audit(book: BookId, market: string, result: AuditResult): void {
    const { venue } = this.#surroundings.protocol
    this.#keeper?.segment.audit({ venue, market, ...(venue === 'polymarket' && { assetId: book }), result })
    this.#surroundings.figures.audits[result]++
  }

  /** Makes this the primary socket: writes the state of all books to its segment. */
  takeOver(): void {
    this.#keeper?.segment.control('state', this.#carried())
  }

  #carried() {
    const [until, age] = [this.heardUntilMs, this.#surroundings.figures.messageAge.min]
    return {
      ...{ state: 'carries', all: true, until },
      // Without a venue time so far, `until` is by this machine's clock: times in frames have precedence.
      ...(this.#heard.isOurs && { ours: true }),
      ...(age !== null && { ahead: -age }),
      ...this.#tracker.carriedSince(this.#events.books(), until, this.connectionId),
    }
  }

  state(name: string, fields: Record<string, unknown> = {}): void {
    this.#keeper?.segment.control('state', { state: name, ...fields })
  }

  reconnect(reason: GapReason, because: string): void {
    if (this.#state === 'ended') return
    this.state('reconnect', { reason, because })
    const socket = this.#socket
    this.#end({ code: 1006, reason: because, status: null, retryAfter: null }, reason)
    socket?.terminate()
  }

  refused(books: readonly BookId[], because: string): void {
    this.state('refused', { books, because })
    this.#events.refused(books, because)
  }

  #opened(subprotocol: string): void {
    if (this.#state !== 'connecting') return
    const { protocol, openSegment, liveness } = this.#surroundings
    this.isReplay = subprotocol === STAMPED_PROTOCOL
    const [connection, clock] = [this.connectionId, this.isReplay ? ('replay' as const) : ('machine' as const)]
    const header = { venue: protocol.venue, useYesPrice: protocol.useYesPrice, connection, url: this.#url, clock }
    try {
      this.#keeper = new SegmentKeeper(openSegment, header, {
        nowNs: () => this.clock.wallNs(),
        begin: (segment) => segment.control('state', this.#events.standsBy() ? { state: 'standby' } : this.#carried()),
      })
    } catch (error) {
      return this.reconnect('overflow', String(error))
    }
    this.#state = 'open'
    this.#frames = new FrameClock(this.clock, this.isReplay)
    this.#heard = new LastReceived(this.nowMs)
    // The socket of a replay is not replaced for silence or age: a replay may pause, and a new socket would restart it.
    const limits = this.isReplay ? { ...liveness, silenceMs: null, rotateMs: null } : liveness
    this.liveness = new Liveness(limits, this.random, msOf(this.clock.monoNs()))
    this.state('open')
    this.#protocol = protocol.open(this)
    this.#events.opened()
  }

  #text(frame: string): void {
    if (this.#state !== 'open' || this.#keeper === undefined) return
    const text = this.#frames.stamp(frame)
    const { recvNs, monoNs } = this.#frames.last
    this.liveness?.frame()
    const { figures } = this.#surroundings
    figures.lastFrameMs = this.#frames.machineMs
    if (isHeartbeat(frame)) return count(figures.skipped, 'heartbeat')
    figures.frames++
    figures.bytes += frame.length
    if (this.#keeper.isOverflowing) return this.#keeper.drop()
    this.#heard.beginFrame()
    this.#isAside = false
    const { segment } = this.#keeper
    try {
      this.#protocol?.read(text, this.#frames.last)
    } catch (error) {
      count(figures.unknown, error instanceof SyntaxError ? 'no JSON' : 'not understood')
    } finally {
      if (this.#isAside) segment.control('state', { state: 'aside', text })
      else segment.frame(text, recvNs, monoNs)
    }
    this.#heard.endFrame(this.isReplay)
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
    this.#protocol?.close()
  }
}
