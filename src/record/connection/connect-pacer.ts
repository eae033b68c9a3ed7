// Spreads connection attempts to a venue over time, because the venue refuses many at once. Pure.

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
