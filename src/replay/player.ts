// Plays the records of the subscribed markets to one client: each when it is due, and no faster than the client takes
// them. A replay begins with the first subscription, and waits a moment for those that follow it.

import { DataError } from '../../storage/failures.ts'
import type { Venue } from '../../storage/venue.ts'
import type { Socket } from '../http/sockets/socket.ts'
import { type Left, marketKey } from './continuations.ts'
import { type Beginning, MarketRecords } from './market-records.ts'
import { MergedRecords } from './merged-records.ts'
import type { PageSource } from './page-source.ts'
import type { ReplayTimers } from './timers.ts'

export type ReplayWindow = {
  /** Records behind this moment. */
  fromMs: number
  /** Inclusive. */
  toMs: number
  /** 1 is real time, 0 as fast as the client takes it. */
  speed: number
}

export type PlayerParts = {
  window: ReplayWindow
  timers: ReplayTimers
  pages: Pick<PageSource, 'ask' | 'close'>
  /** How long the replay waits for further subscriptions. */
  settleMs: number
  /** What pages have as text. */
  text: 'message' | 'socket' | 'record'
  /** Where this client was disconnected by a gap. */
  left: Left | null
}

export type Protocol = {
  /** Sends what the client is to get of a record. */
  deliver(record: MarketRecords): void
  /** Whether the record is a gap that disconnects the client; then `disconnected` is told where all markets are. */
  isDisconnect(record: MarketRecords): boolean
  disconnected(left: Left): void
  /** Sent so often while the connection is open; null for never. */
  heartbeat: { everyMs: number; send(): void } | null
}

/** Records of a page, at most, and of the pages of all markets together. */
const [PAGE_RECORDS_MIN, PAGE_RECORDS_MAX, PAGES_RECORDS] = [512, 16_384, 131_072]
/** Messages that go out together. */
const CORKED = 64
/** Others get their turn after so long. */
const TURN_MS = 5
/** What a timer can wait for. */
const WAIT_MS_MAX = 3_600_000

const [NORMAL, FAILED, RESTART] = [1000, 1011, 1012]

type Step = 'sent' | 'loading' | 'later' | 'over' | 'gap'

export class Player {
  readonly #parts: PlayerParts
  readonly #merged = new MergedRecords()
  readonly #markets = new Map<string, MarketRecords>()
  readonly #protocol: Protocol
  #socket: Socket | undefined
  #anchor: Left['anchor']
  /** Event time of the record that was sent last, or where the replay begins. */
  #sentMs: number
  /** Markets that a gap left, and that were not subscribed to again. */
  readonly #left: Map<string, Beginning>
  #settledAtMs = Number.POSITIVE_INFINITY
  #isSubscribed = false
  #hasBegun = false
  #isAwaitingTurn = false
  #heartbeatAtMs = Number.POSITIVE_INFINITY
  #holds = 0
  #isBehind = false
  #ending: { code: number; reason: string } | undefined
  #cancel: () => void = () => undefined
  #orders = 0

  constructor(parts: PlayerParts, protocol: Protocol) {
    this.#parts = parts
    this.#protocol = protocol
    this.#anchor = parts.left?.anchor ?? null
    this.#left = new Map(parts.left?.markets)
    this.#sentMs = parts.left?.presentMs ?? parts.window.fromMs
  }

  open(socket: Socket): void {
    this.#socket = socket
    const { heartbeat } = this.#protocol
    if (heartbeat !== null) this.#heartbeatAtMs = this.#parts.timers.nowMs() + heartbeat.everyMs
    this.#wait(Number.POSITIVE_INFINITY)
  }

  close(): void {
    this.#socket = undefined
    this.#cancel()
    this.#parts.pages.close()
    for (const records of this.#markets.values()) records.leave()
  }

  drain(): void {
    this.#isBehind = false
    this.#play()
  }

  /** The moment that the replay is at. */
  get presentMs(): number {
    const { fromMs, toMs } = this.#parts.window
    return Math.min(toMs, Math.max(fromMs, this.#sentMs, this.#clockMs ?? fromMs))
  }

  /** Nothing is played until as many releases. */
  hold(): void {
    this.#holds++
  }

  /** With a subscription, the replay begins, and others may follow. */
  release(): void {
    this.#holds--
    if (this.#isSubscribed && !this.#hasBegun) {
      this.#settledAtMs = this.#parts.timers.nowMs() + this.#parts.settleMs
    }
    this.#play()
  }

  records(market: { venue: Venue; market: string }): MarketRecords | undefined {
    return this.#markets.get(marketKey(market))
  }

  /** Of what is not stored there is nothing to play: the replay ends like any other. */
  subscribed(): void {
    this.#isSubscribed = true
  }

  /** From the present moment on, or from where a gap has disconnected it. */
  add(market: { venue: Venue; market: string }): MarketRecords {
    const key = marketKey(market)
    this.#isSubscribed = true
    const known = this.#markets.get(key)
    if (known !== undefined) return known
    const { window, pages, text } = this.#parts
    const beginning: Beginning = this.#left.get(key) ?? { afterMs: this.presentMs, position: null }
    this.#left.delete(key)
    const limit = Math.min(
      PAGE_RECORDS_MAX,
      Math.max(PAGE_RECORDS_MIN, Math.floor(PAGES_RECORDS / (this.#markets.size + 1))),
    )
    const asked = { venue: market.venue, market: market.market, toMs: window.toMs, limit, text }
    const records = new MarketRecords(asked, beginning, this.#orders++, {
      pages,
      loaded: (loaded) => {
        this.#merged.add(loaded)
        this.#play()
      },
      failed: (error) => this.#fail(error),
    })
    this.#markets.set(key, records)
    this.#merged.add(records)
    return records
  }

  remove(market: { venue: Venue; market: string }): void {
    const key = marketKey(market)
    const records = this.#markets.get(key)
    if (records === undefined) return
    this.#markets.delete(key)
    this.#merged.remove(records)
    this.#isSubscribed = this.#markets.size > 0
    records.leave()
  }

  /** All whose records are played. */
  markets(): MarketRecords[] {
    return [...this.#markets.values()]
  }

  /** What the client did not take yet stands before what is sent here. */
  send(text: string, id?: string): void {
    if (this.#socket?.send(text, id) === false) this.#isBehind = true
  }

  /** Null where there is none: at speed 0, and before the beginning. */
  get #clockMs(): number | null {
    if (this.#anchor === null) return null
    const { nowMs, replayMs } = this.#anchor
    return replayMs + (this.#parts.timers.nowMs() - nowMs) * this.#parts.window.speed
  }

  #play(): void {
    const { timers, window } = this.#parts
    if (this.#socket === undefined) return
    if (timers.nowMs() >= this.#heartbeatAtMs) this.#beat()
    if (this.#ending !== undefined) return this.#end()
    if (this.#isBehind || this.#holds > 0) return this.#wait(Number.POSITIVE_INFINITY)
    if (!this.#hasBegun && timers.nowMs() < this.#settledAtMs) return this.#wait(this.#settledAtMs)
    this.#hasBegun = true
    if (window.speed > 0) this.#anchor ??= { nowMs: timers.nowMs(), replayMs: this.presentMs }
    const turnEndMs = timers.nowMs() + TURN_MS
    while (!this.#isBehind) {
      const step = this.#sendCorked(this.#clockMs ?? Number.POSITIVE_INFINITY)
      if (step === 'over' || step === 'gap') return this.#end()
      if (step === 'loading') return this.#wait(Number.POSITIVE_INFINITY)
      if (step === 'later') return this.#wait(this.#nextDueMs())
      if (timers.nowMs() >= turnEndMs) return this.#giveTurn()
    }
    this.#wait(Number.POSITIVE_INFINITY)
  }

  #giveTurn(): void {
    if (this.#isAwaitingTurn) return
    this.#isAwaitingTurn = true
    this.#parts.timers.soon(() => {
      this.#isAwaitingTurn = false
      this.#play()
    })
  }

  #sendCorked(untilMs: number): Step {
    let step: Step = 'sent'
    const isTaken = this.#socket!.cork(() => {
      for (let count = 0; count < CORKED && step === 'sent'; count++) step = this.#step(untilMs)
    })
    if (!isTaken) this.#isBehind = true
    return step
  }

  #step(untilMs: number): Step {
    const records = this.#merged.first
    if (records === undefined) return this.#merged.isLoading ? 'loading' : this.#stepAtEnd(untilMs)
    if (records.timeMs > untilMs) return 'later'
    this.#sentMs = Math.max(this.#sentMs, records.timeMs)
    if (records.kind === 'gap' && this.#protocol.isDisconnect(records)) {
      this.#disconnect(gapEndMs(records))
      return 'gap'
    }
    this.#protocol.deliver(records)
    this.#merged.advance()
    return 'sent'
  }

  /** All is sent. A client that has unsubscribed from everything may subscribe again. */
  #stepAtEnd(untilMs: number): Step {
    if (untilMs < this.#parts.window.toMs || (!this.#isSubscribed && this.#anchor === null)) return 'later'
    this.#ending = { code: NORMAL, reason: 'the replay has ended' }
    return 'over'
  }

  /** In the time of the timers. */
  #nextDueMs(): number {
    if (this.#anchor === null) return Number.POSITIVE_INFINITY
    const dueMs = Math.min(this.#merged.first?.timeMs ?? Number.POSITIVE_INFINITY, this.#parts.window.toMs)
    return this.#anchor.nowMs + (dueMs - this.#anchor.replayMs) / this.#parts.window.speed
  }

  /** Behind all gaps of the same moment: of the whole outage, the client is disconnected once. */
  #disconnect(toMs: number): void {
    const markets = new Map<string, Beginning>()
    for (const [key, records] of this.#markets) {
      while (records.state === 'ready' && records.kind === 'gap' && records.timeMs <= toMs) records.advance()
      markets.set(key, records.here)
    }
    this.#protocol.disconnected({ markets, presentMs: this.#sentMs, anchor: this.#anchor })
    this.#ending = { code: RESTART, reason: 'a gap in the recording: connect again to go on behind it' }
  }

  #end(): void {
    if (this.#isBehind) return this.#wait(Number.POSITIVE_INFINITY)
    const { code, reason } = this.#ending!
    this.#socket!.close(code, reason)
  }

  #beat(): void {
    const { everyMs, send } = this.#protocol.heartbeat!
    this.#heartbeatAtMs = this.#parts.timers.nowMs() + everyMs
    send()
  }

  #fail(error: unknown): void {
    if (!(error instanceof DataError) || error.code !== 'cursor_stale') return this.#socket?.fail(error)
    this.#socket?.close(FAILED, 'the stored data before this moment has changed: start the replay again')
  }

  #wait(untilMs: number): void {
    this.#cancel()
    const wakeMs = Math.min(untilMs, this.#heartbeatAtMs)
    if (wakeMs === Number.POSITIVE_INFINITY) return
    const delayMs = Math.min(WAIT_MS_MAX, wakeMs - this.#parts.timers.nowMs())
    this.#cancel = this.#parts.timers.after(delayMs, () => this.#play())
  }
}

/** A recorder of ours says when the outage ended; without that, it is over at once. */
function gapEndMs(records: MarketRecords): number {
  try {
    const to = Number((JSON.parse(records.text()) as { to?: unknown }).to)
    return Number.isFinite(to) ? Math.max(to, records.timeMs) : records.timeMs
  } catch {
    return records.timeMs
  }
}
