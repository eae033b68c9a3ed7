// The newest durations and their exact quantiles, so that a status page shows the present.

const TIMES_MAX = 1_024

export class RecentTimes {
  readonly #times = new Float64Array(TIMES_MAX)
  #added = 0

  add(time: number): void {
    this.#times[this.#added % TIMES_MAX] = time
    this.#added += 1
  }

  /** How many durations there are. */
  get size(): number {
    return Math.min(this.#added, TIMES_MAX)
  }

  /** The smallest duration that at least `share` of them, in (0, 1], do not exceed. Null without any. */
  quantile(share: number): number | null {
    if (this.size === 0) return null
    const sorted = this.#times.slice(0, this.size).sort()
    return sorted[Math.max(0, Math.ceil(share * this.size) - 1)]!
  }
}
