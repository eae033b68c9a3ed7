// What a replay needs of time, passed in so that tests have a clock of their own.

export type Timers = {
  /** By a clock that never steps back. */
  nowMs(): number
  /** Returns what cancels it. */
  after(delayMs: number, run: () => void): () => void
  /** Behind what already waits to run. */
  soon(run: () => void): void
}

export const TIMERS: Timers = {
  nowMs: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
  soon: (run) => void setImmediate(run),
}
