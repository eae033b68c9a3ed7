// How long to wait before the next attempt to connect. Pure.

import { backoff } from '../../../storage/retry/with-retry.ts'
import type { Random } from './time.ts'

export type BackoffLimits = {
  /** First wait after an attempt that failed; each further failure doubles it. */
  firstMs: number
  maxMs: number
  /** After a close of a socket that worked, the wait is anything up to this. */
  cleanMs: number
  /** A socket that lasted so long forgets the failures before it. */
  healthyMs: number
}

export const BACKOFF: BackoffLimits = { firstMs: 1_000, maxMs: 60_000, cleanMs: 750, healthyMs: 30_000 }

export class Backoff {
  readonly #limits: BackoffLimits
  readonly #random: Random
  #failures = 0

  constructor(limits: BackoffLimits, random: Random) {
    this.#limits = limits
    this.#random = random
  }

  get failures(): number {
    return this.#failures
  }

  /** The attempt failed. `retryAfterMs` is what a 429 asks for; without it the wait is from half to all of the step. */
  afterFailure(retryAfterMs?: number): number {
    const { firstMs, maxMs, cleanMs } = this.#limits
    this.#failures++
    if (retryAfterMs !== undefined) return Math.max(retryAfterMs, 0) + this.#random() * cleanMs
    return backoff({ firstMs, maxMs, random: this.#random })(this.#failures)
  }

  /** The socket was open for so long. One that closes without data, as after too large a subscription, did not work: it
   *  counts as one that could not be opened. */
  afterClose(openMs: number, hadData: boolean): number {
    const { healthyMs, cleanMs } = this.#limits
    if (openMs >= healthyMs) this.#failures = 0
    return hadData || openMs >= healthyMs ? this.#random() * cleanMs : this.afterFailure()
  }
}
