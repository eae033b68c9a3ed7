// Holds the newest durations and computes their exact quantiles, so that a status page shows current values.

const TIMES_MAX = 1_024

export class RecentTimes {
  readonly #times = new Float64Array(TIMES_MAX)
  #added = 0

  add(time: number): void {
    this.#times[this.#added % TIMES_MAX] = time
    this.#added += 1
  }

  /** Number of stored durations. */
  get size(): number {
    return Math.min(this.#added, TIMES_MAX)
  }

  /** Returns the smallest stored duration for which at least this share of the durations is equal or shorter; null if
   *  there are none. `share` is in (0, 1]. */
  quantile(share: number): number | null {
    if (this.size === 0) return null
    const sorted = this.#times.slice(0, this.size).sort()
    return sorted[Math.max(0, Math.ceil(share * this.size) - 1)]!
  }
}
