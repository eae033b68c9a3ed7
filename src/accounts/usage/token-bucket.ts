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

  /** Further tokens of a request that has taken one. False without them. A request of more than a burst needs all of
   *  the burst, and owes the rest: nothing is taken until that has come back. */
  takeMore(count: number, nowMs: number): boolean {
    this.#fill(nowMs)
    if (this.#tokens < this.#neededOf(count)) return false
    this.#tokens -= count
    return true
  }

  /** Until `takeMore` gives so many, where one more is taken before: by the request that asks again. */
  secondsUntilMore(count: number, nowMs: number): number {
    return this.secondsUntil(this.#neededOf(count) + 1, nowMs)
  }

  #neededOf(count: number): number {
    return Math.min(count, this.burst - 1)
  }

  /** Whole tokens. */
  left(nowMs: number): number {
    this.#fill(nowMs)
    return Math.max(0, Math.floor(this.#tokens))
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
