// A clock that stops while code can run, and then moves to the next timer. Tests of code that waits need no real
// time, and run in the same order every time.

import type { Clock } from '../../../storage/cluster/objects/tries.ts'

export class ManualClock implements Clock {
  #nowMs = 0
  readonly #timers = new Set<{ atMs: number; ring: () => void }>()

  wallMs(): number {
    return Date.UTC(2026, 0, 1) + this.#nowMs
  }

  steadyMs(): number {
    return this.#nowMs
  }

  after(delayMs: number, ring: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, ring }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** Resolves after this much time of this clock. */
  async sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => this.after(ms, resolve))
  }

  /** Advances time until the promise is settled. The promise must depend only on this clock. */
  async until<T>(promise: Promise<T>): Promise<T> {
    let settled = false
    const watched = promise.finally(() => {
      settled = true
    })
    watched.catch(() => {})
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      if (settled) return await watched
      const [next] = [...this.#timers].sort((a, b) => a.atMs - b.atMs)
      if (next === undefined) throw new Error('nothing is left that could settle the promise')
      this.#timers.delete(next)
      this.#nowMs = next.atMs
      next.ring()
    }
  }

  /** Number of timers that are set. */
  get timers(): number {
    return this.#timers.size
  }
}
