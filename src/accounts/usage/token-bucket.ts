// A token bucket: `burst` calls may come at once, and each second refills `perSecond` of them. Reads no clock:
// callers pass a monotonic time, ms.

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

  /** Takes a token. Returns false if the bucket holds no whole token. */
  take(nowMs: number): boolean {
    this.#fill(nowMs)
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }

  /** Takes further tokens for a request that has taken one. Returns false if there are too few. A request above the
   *  burst needs the whole burst, and owes the rest: nothing can be taken until the rest is refilled. */
  takeMore(count: number, nowMs: number): boolean {
    this.#fill(nowMs)
    if (this.#tokens < this.#neededOf(count)) return false
    this.#tokens -= count
    return true
  }

  /** Returns the seconds until a repeated request can succeed: until the bucket has the tokens for `takeMore`, and the
   *  one token that the request takes first. */
  secondsUntilMore(count: number, nowMs: number): number {
    return this.secondsUntil(this.#neededOf(count) + 1, nowMs)
  }

  #neededOf(count: number): number {
    return Math.min(count, this.burst - 1)
  }

  /** Returns the number of whole tokens in the bucket. */
  left(nowMs: number): number {
    this.#fill(nowMs)
    return Math.max(0, Math.floor(this.#tokens))
  }

  /** Returns the seconds until the bucket holds this many tokens; 0 if it already does. */
  secondsUntil(tokens: number, nowMs: number): number {
    this.#fill(nowMs)
    return Math.max(0, (tokens - this.#tokens) / this.perSecond)
  }

  #fill(nowMs: number): void {
    this.#tokens = Math.min(this.burst, this.#tokens + ((nowMs - this.#filledMs) / 1_000) * this.perSecond)
    this.#filledMs = nowMs
  }
}
