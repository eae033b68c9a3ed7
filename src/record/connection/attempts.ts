// Schedules the next connection attempt: after a pause that depends on how the last socket ended, and in turn with all
// other connections to the venue.

import { isRefusal } from '../../../storage/retry/http-client.ts'
import { retryAfterMs } from '../../../storage/retry/retry-after.ts'
import type { Timers } from '../../../storage/retry/timers.ts'
import type { SocketEnd } from '../socket/web-socket.ts'
import type { VenueFigures } from '../status/recorder-figures.ts'
import { Backoff, type BackoffLimits } from './backoff.ts'
import type { ConnectPacer } from './connect-pacer.ts'
import type { ConnectionEvents, SessionEnd } from './connection-options.ts'
import type { Liveness } from './liveness.ts'
import { type Clock, msOf, type Random } from './time.ts'

type Surroundings = {
  clock: Clock
  timers: Timers
  random: Random
  pacer: ConnectPacer
  figures: VenueFigures
  events: Pick<ConnectionEvents, 'log' | 'handshakeRefused'>
}

type EndedSocket = { connectionId: string; liveness: Pick<Liveness, 'openedMs' | 'hadData'> | undefined }

const TOO_MANY_REQUESTS = 429

export class Attempts {
  readonly #surroundings: Surroundings
  readonly #backoff: Backoff
  #cancel: (() => void) | undefined

  constructor(limits: BackoffLimits, surroundings: Surroundings) {
    this.#surroundings = surroundings
    this.#backoff = new Backoff(limits, surroundings.random)
  }

  /** Schedules an attempt after `ms`. Replaces an attempt that waits. */
  after(ms: number, attempt: () => void): void {
    this.cancel()
    const { pacer, timers, clock } = this.#surroundings
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

  /** Returns the pause after a socket has ended, ms. Counts and reports a socket that was never open. */
  afterEnd({ liveness, connectionId: connection }: EndedSocket, end: SessionEnd): number {
    const { clock, figures, events } = this.#surroundings
    if (end.wasOpen)
      return this.#backoff.afterClose(msOf(clock.monoNs()) - (liveness?.openedMs ?? 0), liveness?.hadData === true)
    const { code, reason, status } = end
    if (end.loss === null) figures.connectFailures++
    if (isRefusal(status)) events.handshakeRefused(end)
    else events.log('warn', 'a connection was not opened', { connection, status, code, reason })
    return this.afterFailure(end)
  }

  /** Returns the pause after a failed attempt, ms. `end` is the response; undefined if the attempt never reached the
   *  server. */
  afterFailure(end?: Pick<SocketEnd, 'status' | 'retryAfter'>): number {
    const { clock, pacer } = this.#surroundings
    const { status = null, retryAfter = null } = end ?? {}
    if (status !== TOO_MANY_REQUESTS) return this.#backoff.afterFailure()
    const requestedMs = retryAfterMs(retryAfter, msOf(clock.wallNs()))
    if (requestedMs !== undefined) pacer.pauseUntil(msOf(clock.monoNs()) + requestedMs)
    return this.#backoff.afterFailure(requestedMs)
  }
}
