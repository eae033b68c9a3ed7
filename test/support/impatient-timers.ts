// Timers without real waiting. Pauses end at once, and a time limit expires when a test says so.

import type { Timers } from '../../storage/retry/timers.ts'

export class ImpatientTimers implements Timers {
  readonly #limitMs: number | null
  readonly #limits = new Set<{ atMs: number; action: () => void }>()
  #nowMs = 0
  /** Lengths of the pauses, ms. */
  readonly waited: number[] = []
  /** Number of limits that were started. */
  limitsStarted = 0

  /** A timer of `limitMs` counts as a limit; other timers are pauses. */
  constructor(limitMs: number | null = null) {
    this.#limitMs = limitMs
  }

  after(ms: number, action: () => void): () => void {
    if (ms === this.#limitMs) {
      this.limitsStarted++
      const limit = { atMs: this.#nowMs + ms, action }
      this.#limits.add(limit)
      return () => void this.#limits.delete(limit)
    }
    this.waited.push(ms)
    let isCancelled = false
    queueMicrotask(() => isCancelled || action())
    return () => {
      isCancelled = true
    }
  }

  /** Advances the time of the limits. */
  pass(ms: number): void {
    this.#nowMs += ms
    for (const limit of this.#limits) {
      if (limit.atMs <= this.#nowMs && this.#limits.delete(limit)) limit.action()
    }
  }

  /** Resolves once this many limits have been started. */
  async started(times: number): Promise<void> {
    while (this.limitsStarted < times) await new Promise((resolve) => setImmediate(resolve))
  }

  get limits(): number {
    return this.#limits.size
  }
}
