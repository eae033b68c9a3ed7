// Spreads the attempts to connect to a venue over time, since many at once are refused. Pure.

export class ConnectPacer {
  readonly #staggerMs: number
  #nextMs = Number.NEGATIVE_INFINITY

  constructor(staggerMs: number) {
    this.#staggerMs = staggerMs
  }

  /** Takes a turn: how long the attempt has to wait for it. */
  take(nowMs: number): number {
    const atMs = Math.max(nowMs, this.#nextMs)
    this.#nextMs = atMs + this.#staggerMs
    return atMs - nowMs
  }

  /** The venue asked for a pause: nobody connects before that. */
  pauseUntil(ms: number): void {
    this.#nextMs = Math.max(this.#nextMs, ms)
  }
}
