// Decides whether a socket still works, with two timers. Any frame resets the first; only data resets the second,
// because a venue may still answer heartbeats when it has stopped sending data. Pure.

import type { ConnectionConfig } from '../config/venue-config.ts'
import type { Random } from '../time/clock.ts'

const HEARTBEAT = /^P[IO]NG\s*$/
const HEARTBEAT_LENGTH_MAX = 6

/** Whether a text is a PING or a PONG. */
export const isHeartbeat = (text: string): boolean => text.length <= HEARTBEAT_LENGTH_MAX && HEARTBEAT.test(text)

export type LivenessLimits = Pick<ConnectionConfig, 'pingMs' | 'pongMs' | 'silenceMs' | 'broadBooks' | 'rotateMs'>

export type Verdict = 'ping' | 'dead' | 'silent' | 'rotate' | null

/** A socket is broad if it has at least `broadBooks` books and was busy. Silence on a broad socket is not chance. A
 *  busy socket has received at least this many frames with data, and this many per ms on average. */
const BUSY_FRAMES = 30
const BUSY_PER_MS = 1 / 2_000
/** If more than this passes between two calls of `check`, the process was not running. The venue is not at fault
 *  then. */
const LATE_MS = 3_000

export class Liveness {
  readonly #limits: LivenessLimits
  readonly openedMs: number
  readonly #rotateAtMs: number
  #lastDataMs: number
  /** Time at which the last data arrived. `#lastDataMs` is that time too, but is moved forward by the time in which the
   *  process did not run. */
  #dataAtMs: number
  #dataFrames = 0
  #pingedMs: number
  /** Time of the ping that no frame has followed yet; null if there is none. */
  #awaitedMs: number | null = null
  #checkedMs: number

  /** Times are ms of the monotonic clock. */
  constructor(limits: LivenessLimits, random: Random, nowMs: number) {
    this.#limits = limits
    this.openedMs = nowMs
    this.#lastDataMs = nowMs
    this.#dataAtMs = nowMs
    this.#pingedMs = nowMs
    this.#checkedMs = nowMs
    const { rotateMs } = limits
    // Adds up to a fifth, so that sockets are not replaced all at once.
    this.#rotateAtMs = rotateMs === null ? Number.POSITIVE_INFINITY : nowMs + rotateMs * (1 + random() / 5)
  }

  get lastDataMs(): number {
    return this.#dataAtMs
  }

  get hadData(): boolean {
    return this.#dataFrames > 0
  }

  frame(): void {
    this.#awaitedMs = null
  }

  data(nowMs: number): void {
    this.#lastDataMs = nowMs
    this.#dataAtMs = nowMs
    this.#dataFrames++
  }

  /** Returns what to do. Must be called about once a second. `ping` means that a ping is due; the ping then counts as
   *  sent. */
  check(nowMs: number, books: number): Verdict {
    const { pingMs, pongMs, silenceMs } = this.#limits
    // Extends the deadlines by the time in which the process did not run: frames may still wait in the socket.
    const lateMs = nowMs - this.#checkedMs - LATE_MS
    if (lateMs > 0) {
      if (this.#awaitedMs !== null) this.#awaitedMs += lateMs
      this.#lastDataMs += lateMs
    }
    this.#checkedMs = nowMs
    if (this.#awaitedMs !== null && nowMs - this.#awaitedMs >= pongMs) return 'dead'
    const isBroad = silenceMs !== null && this.#isBroad(books)
    if (isBroad && nowMs - this.#lastDataMs >= silenceMs) return 'silent'
    if (this.#awaitedMs === null && nowMs - this.#pingedMs >= pingMs) {
      this.#pingedMs = nowMs
      this.#awaitedMs = nowMs
      return 'ping'
    }
    return !isBroad && nowMs >= this.#rotateAtMs ? 'rotate' : null
  }

  // Measures the average rate of data frames up to the last one, so that silence does not lower it.
  #isBroad(books: number): boolean {
    const watchedMs = this.#lastDataMs - this.openedMs
    const isBusy = this.#dataFrames >= BUSY_FRAMES && this.#dataFrames > watchedMs * BUSY_PER_MS
    return books >= this.#limits.broadBooks && isBusy
  }
}
