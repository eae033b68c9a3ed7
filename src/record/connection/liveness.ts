// Whether a socket still works. Of two clocks each frame feeds one, and data of the venue alone the other: a venue may
// go on answering heartbeats when it has stopped sending data. Pure.

import type { Random } from './time.ts'

const HEARTBEAT = /^P[IO]NG\s*$/
const HEARTBEAT_LENGTH_MAX = 6

/** A text that asks for a sign of life, or is one. */
export const isHeartbeat = (text: string): boolean => text.length <= HEARTBEAT_LENGTH_MAX && HEARTBEAT.test(text)

export type LivenessLimits = {
  pingMs: number
  /** How long a sign of life may take after a ping. */
  pongMs: number
  /** Silence of data after which a broad socket counts as frozen; null where silence says nothing. */
  silenceMs: number | null
  /** From so many books on a socket is broad, if it was busy too: its silence is no accident. */
  broadBooks: number
  /** A socket whose silence says nothing is replaced after this, up to a fifth more; null where that is not needed. */
  rotateMs: number | null
}

export type Verdict = 'ping' | 'dead' | 'silent' | 'rotate' | null

/** A busy socket said so much, and so often on average. */
const BUSY_FRAMES = 30
const BUSY_PER_MS = 1 / 2_000
/** A later look than this is the fault of this process, not of the venue. */
const LATE_MS = 3_000

export class Liveness {
  readonly #limits: LivenessLimits
  readonly #openedMs: number
  readonly #rotateAtMs: number
  #lastDataMs: number
  /** As it was, where `#lastDataMs` is moved for a process that did not run. */
  #dataAtMs: number
  #dataFrames = 0
  #pingedMs: number
  /** Since when a ping waits for a sign of life. */
  #awaitedMs: number | null = null
  #lookedMs: number

  /** Times are ms of the monotonic clock. */
  constructor(limits: LivenessLimits, random: Random, nowMs: number) {
    this.#limits = limits
    this.#openedMs = nowMs
    this.#lastDataMs = nowMs
    this.#dataAtMs = nowMs
    this.#pingedMs = nowMs
    this.#lookedMs = nowMs
    const { rotateMs } = limits
    this.#rotateAtMs = rotateMs === null ? Number.POSITIVE_INFINITY : nowMs + rotateMs * (1 + random() / 5)
  }

  get openedMs(): number {
    return this.#openedMs
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

  /** To be asked about once a second. `ping`: one is due, and counts as sent. */
  look(nowMs: number, books: number): Verdict {
    const { pingMs, pongMs, silenceMs } = this.#limits
    // Frames may wait in the socket while this process did not run: they get their time.
    const lateMs = nowMs - this.#lookedMs - LATE_MS
    if (lateMs > 0) {
      if (this.#awaitedMs !== null) this.#awaitedMs += lateMs
      this.#lastDataMs += lateMs
    }
    this.#lookedMs = nowMs
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

  // How busy it was is counted up to its last data: silence does not make it less so.
  #isBroad(books: number): boolean {
    const watchedMs = this.#lastDataMs - this.#openedMs
    const isBusy = this.#dataFrames >= BUSY_FRAMES && this.#dataFrames > watchedMs * BUSY_PER_MS
    return books >= this.#limits.broadBooks && isBusy
  }
}
