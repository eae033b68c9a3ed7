// The newest durations, and their exact quantiles: what a status page shows is of now, and not since the start.

const TIMES_MAX = 1_024

export class RecentTimes {
  readonly #times = new Float64Array(TIMES_MAX)
  #added = 0

  add(time: number): void {
    this.#times[this.#added % TIMES_MAX] = time
    this.#added += 1
  }

  /** How many the quantiles are of. */
  get size(): number {
    return Math.min(this.#added, TIMES_MAX)
  }

  /** The smallest of the times that so large a share of them does not exceed, `share` in (0, 1]; null without any. */
  quantile(share: number): number | null {
    if (this.size === 0) return null
    const sorted = this.#times.slice(0, this.size).sort()
    return sorted[Math.max(0, Math.ceil(share * this.size) - 1)]!
  }
}
