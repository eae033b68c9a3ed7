// Counts durations in buckets. An observation costs a few comparisons and two additions.

export class Histogram {
  /** Inclusive upper bounds in seconds, ascending. */
  readonly bounds: readonly number[]
  /** Count of each bucket. There is one bucket more than bounds, for durations above all bounds. */
  readonly counts: Float64Array
  sum = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = new Float64Array(bounds.length + 1)
  }

  observe(seconds: number): void {
    const { bounds } = this
    let bucket = 0
    while (bucket < bounds.length && seconds > bounds[bucket]!) bucket++
    this.counts[bucket]! += 1
    this.sum += seconds
  }
}
