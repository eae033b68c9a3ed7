// Plays the records of the subscribed markets to one client: each when it is due, and no faster than the client reads
// them. A replay begins a moment after the first subscription, so that the client can first subscribe to more markets.

import { DataError } from '../../storage/failures.ts'
import type { Venue } from '../../storage/venue.ts'
import type { Socket } from '../http/sockets/socket.ts'
import { type Left, marketKey } from './continuations.ts'
import { type Beginning, MarketRecords } from './market-records.ts'
import { MergedRecords } from './merged-records.ts'
import type { PageSource } from './page-source.ts'
import type { ReplayTimers } from './timers.ts'

export type ReplayWindow = {
  /** Plays records after this time, Unix ms. */
  fromMs: number
  /** Unix ms, inclusive. */
  toMs: number
  /** 1 is real time, 0 as fast as the client reads. */
  speed: number
}

export type PlayerParts = {
  window: ReplayWindow
  timers: ReplayTimers
  pages: Pick<PageSource, 'ask' | 'close'>
  /** How long the replay waits for further subscriptions. */
  settleMs: number
  /** The form of the texts in pages. */
  text: 'message' | 'socket' | 'record'
  /** Where this client was disconnected by a gap; null if it was not. */
  left: Left | null
}

export type Protocol = {
  /** Sends a record in the protocol's form. */
  deliver(record: MarketRecords): void
  /** Whether a gap record disconnects the client. Then `disconnected` is called with the places of all markets. */
  isDisconnect(record: MarketRecords): boolean
  disconnected(left: Left): void
  /** Heartbeats while the connection is open; null for none. */
  heartbeat: { everyMs: number; send(): void } | null
}

/** Limits of the page size, and of all pages of a replay together, in records. */
const [PAGE_RECORDS_MIN, PAGE_RECORDS_MAX, PAGES_RECORDS] = [512, 16_384, 131_072]
/** Messages that are sent together. */
const CORKED = 64
/** Yields to the event loop after this long. */
const TURN_MS = 5
/** Longest wait of one timer. */
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
  /** Event time of the last record that was sent, or the start of the replay; Unix ms. */
  #sentMs: number
  /** Where markets continue after a disconnect. A market is removed once the client subscribes to it again. */
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

  /** The current time of the replay, Unix ms. */
  get presentMs(): number {
    const { fromMs, toMs } = this.#parts.window
    return Math.min(toMs, Math.max(fromMs, this.#sentMs, this.#clockMs ?? fromMs))
  }

  /** Pauses the replay until `release` is called as often as `hold`. */
  hold(): void {
    this.#holds++
  }

  /** Ends one `hold`. A replay begins `settleMs` after the first subscription, so that more can follow. */
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

  /** Notes a subscription to markets that may not be stored. The replay ends as usual even without records. */
  subscribed(): void {
    this.#isSubscribed = true
  }

  /** Plays a market from the current time on, or from where a replayed gap has disconnected the client. */
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
    const options = { venue: market.venue, market: market.market, toMs: window.toMs, limit, text }
    const records = new MarketRecords(options, beginning, this.#orders++, {
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

  /** Returns the markets that are played. */
  markets(): MarketRecords[] {
    return [...this.#markets.values()]
  }

  /** Sends a text after those that the client has not read yet. */
  send(text: string, id?: string): void {
    if (this.#socket?.send(text, id) === false) this.#isBehind = true
  }

  /** The replay's time by its clock, Unix ms; null at speed 0 and before the replay begins. */
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
      if (timers.nowMs() >= turnEndMs) return this.#yieldTurn()
    }
    this.#wait(Number.POSITIVE_INFINITY)
  }

  #yieldTurn(): void {
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

  /** Ends the replay when all records are sent and the replay's time is `to`. Until then, a client may subscribe. */
  #stepAtEnd(untilMs: number): Step {
    if (untilMs < this.#parts.window.toMs || (!this.#isSubscribed && this.#anchor === null)) return 'later'
    this.#ending = { code: NORMAL, reason: 'the replay has ended' }
    return 'over'
  }

  /** Time at which the next record is due, or the replay ends, in ms of the timers. */
  #nextDueMs(): number {
    if (this.#anchor === null) return Number.POSITIVE_INFINITY
    const dueMs = Math.min(this.#merged.first?.timeMs ?? Number.POSITIVE_INFINITY, this.#parts.window.toMs)
    return this.#anchor.nowMs + (dueMs - this.#anchor.replayMs) / this.#parts.window.speed
  }

  /** Disconnects the client. Moves each market past its gaps up to `toMs`, so that one outage disconnects only once. */
  #disconnect(toMs: number): void {
    const markets = new Map<string, Beginning>()
    for (const [key, records] of this.#markets) {
      while (records.state === 'ready' && records.kind === 'gap' && records.timeMs <= toMs) records.advance()
      markets.set(key, records.here)
    }
    this.#protocol.disconnected({ markets, presentMs: this.#sentMs, anchor: this.#anchor })
    this.#ending = { code: RESTART, reason: 'a gap in the recording: connect again to continue after it' }
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

/** Returns the end of an outage, Unix ms: the field `to` of a gap record of our recorder, else the record's time. */
function gapEndMs(records: MarketRecords): number {
  try {
    const to = Number((JSON.parse(records.text()) as { to?: unknown }).to)
    return Number.isFinite(to) ? Math.max(to, records.timeMs) : records.timeMs
  } catch {
    return records.timeMs
  }
}
