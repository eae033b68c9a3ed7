// Computes the pause before the next connection attempt. Pure.

import { backoff } from '../../../storage/retry/with-retry.ts'
import type { Random } from './time.ts'

export type BackoffLimits = {
  /** Pause after the first failed attempt; each further failure doubles it. */
  firstMs: number
  maxMs: number
  /** Longest random pause after a socket that worked was closed. */
  cleanMs: number
  /** A socket that was open for this long resets the count of failures. */
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

  /** Counts a failed attempt and returns the pause, ms. `retryAfterMs` is the pause that a 429 demands; without it the
   *  pause is a random part, from half to all, of the current step. */
  afterFailure(retryAfterMs?: number): number {
    const { firstMs, maxMs, cleanMs } = this.#limits
    this.#failures++
    if (retryAfterMs !== undefined) return Math.max(retryAfterMs, 0) + this.#random() * cleanMs
    return backoff({ firstMs, maxMs, random: this.#random })(this.#failures)
  }

  /** Returns the pause after a socket that was open for `openMs` has closed, ms. A socket that closes without data, for
   *  example after too large a subscription, counts as a failed attempt, unless it lasted for `healthyMs`. */
  afterClose(openMs: number, hadData: boolean): number {
    const { healthyMs, cleanMs } = this.#limits
    if (openMs >= healthyMs) this.#failures = 0
    return hadData || openMs >= healthyMs ? this.#random() * cleanMs : this.afterFailure()
  }
}
