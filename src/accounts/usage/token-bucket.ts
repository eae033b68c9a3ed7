// A token bucket: `burst` calls may come at once, and each second brings `perSecond` back. Pure: the time is an
// argument, in ms that never step back.

export class TokenBucket {
  readonly perSecond: number
  readonly burst: number
  #tokens: number
  #filledMs: number

  constructor(limit: { perSecond: number; burst: number }, nowMs: number) {
    this.perSecond = limit.perSecond
    this.burst = limit.burst
    this.#tokens = limit.burst
    this.#filledMs = nowMs
  }

  /** False without a whole token. */
  take(nowMs: number): boolean {
    this.#fill(nowMs)
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }

  /** Whole tokens. */
  left(nowMs: number): number {
    this.#fill(nowMs)
    return Math.floor(this.#tokens)
  }

  /** Until it holds so many tokens; 0 if it does already. */
  secondsUntil(tokens: number, nowMs: number): number {
    this.#fill(nowMs)
    return Math.max(0, (tokens - this.#tokens) / this.perSecond)
  }

  #fill(nowMs: number): void {
    this.#tokens = Math.min(this.burst, this.#tokens + ((nowMs - this.#filledMs) / 1_000) * this.perSecond)
    this.#filledMs = nowMs
  }
}
