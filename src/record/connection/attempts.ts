// Schedules the next connection attempt: after a pause that depends on how the last socket ended, and in turn with all
// other connections to the venue, because a venue refuses many at once.

import { isRefusal } from '../../../storage/retry/http-client.ts'
import { retryAfterMs } from '../../../storage/retry/retry-after.ts'
import type { Timers } from '../../../storage/retry/timers.ts'
import { backoff } from '../../../storage/retry/with-retry.ts'
import type { ConnectionConfig } from '../config/venue-config.ts'
import type { VenueStats } from '../status/recorder-stats.ts'
import { type Clock, msOf, type Random } from '../time/clock.ts'
import type { ConnectionEvents, SessionEnd } from './connection-options.ts'
import type { Liveness } from './liveness.ts'
import type { SocketEnd } from './web-socket.ts'

type AttemptContext = {
  clock: Clock
  timers: Timers
  random: Random
  pacer: ConnectPacer
  stats: VenueStats
  events: Pick<ConnectionEvents, 'warn' | 'handshakeRefused'>
}

type EndedSocket = { connectionId: string; liveness: Pick<Liveness, 'openedMs' | 'hadData'> | undefined }

export type BackoffLimits = Pick<ConnectionConfig, 'backoffFromMs' | 'backoffToMs' | 'reconnectJitterMs'>

/** A socket that was open for this long resets the count of failures. */
const HEALTHY_MS = 30_000
const TOO_MANY_REQUESTS = 429

export class Attempts {
  readonly #context: AttemptContext
  readonly #jitterMs: number
  readonly #pauseMs: ReturnType<typeof backoff>
  #failures = 0
  #cancel: (() => void) | undefined

  constructor({ backoffFromMs, backoffToMs, reconnectJitterMs }: BackoffLimits, context: AttemptContext) {
    const { random } = context
    this.#context = context
    this.#jitterMs = reconnectJitterMs
    this.#pauseMs = backoff({ firstMs: backoffFromMs, maxMs: backoffToMs, random })
  }

  /** Schedules an attempt after `ms`. Replaces an attempt that waits. */
  after(ms: number, attempt: () => void): void {
    this.cancel()
    const { pacer, timers, clock } = this.#context
    this.#cancel = timers.after(ms, () => {
      this.#cancel = timers.after(pacer.take(msOf(clock.monoNs())), () => {
        this.#cancel = undefined
        attempt()
      })
    })
  }

  cancel(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  /** Returns the pause after a socket has ended, ms. Counts and reports a socket that was never open. A socket that
   *  ends without data, for example after too large a subscription, counts as a failed attempt, unless it lasted for
   *  `HEALTHY_MS`. */
  afterEnd({ liveness, connectionId: connection }: EndedSocket, end: SessionEnd): number {
    const { clock, stats, events, random } = this.#context
    if (end.wasOpen) {
      const isHealthy = msOf(clock.monoNs()) - (liveness?.openedMs ?? 0) >= HEALTHY_MS
      if (isHealthy) this.#failures = 0
      return isHealthy || liveness?.hadData === true ? random() * this.#jitterMs : this.afterFailure()
    }
    const { code, reason, status } = end
    if (end.loss === null) stats.connectFailures++
    if (isRefusal(status)) events.handshakeRefused(end)
    else events.warn({ connection, status, code, reason }, 'a connection was not opened')
    return this.afterFailure(end)
  }

  /** Counts a failed attempt, and returns the pause after it, ms. The pause is not shorter than a 429 response
   *  demands. `end` is the response; undefined if the attempt never reached the server. */
  afterFailure(end?: Pick<SocketEnd, 'status' | 'retryAfter'>): number {
    const { clock, pacer } = this.#context
    const { status = null, retryAfter = null } = end ?? {}
    const requestedMs = status === TOO_MANY_REQUESTS ? retryAfterMs(retryAfter, msOf(clock.wallNs())) : undefined
    if (requestedMs !== undefined) pacer.pauseUntil(msOf(clock.monoNs()) + requestedMs)
    return this.#pauseMs(++this.#failures, { retryAfterMs: requestedMs })
  }
}

export class ConnectPacer {
  readonly #staggerMs: number
  #nextMs = Number.NEGATIVE_INFINITY

  constructor(staggerMs: number) {
    this.#staggerMs = staggerMs
  }

  /** Reserves the next turn. Returns how long the attempt has to wait for it, ms. */
  take(nowMs: number): number {
    const atMs = Math.max(nowMs, this.#nextMs)
    this.#nextMs = atMs + this.#staggerMs
    return atMs - nowMs
  }

  /** Lets no connection start before `ms`, because the venue demands a pause. */
  pauseUntil(ms: number): void {
    this.#nextMs = Math.max(this.#nextMs, ms)
  }
}
