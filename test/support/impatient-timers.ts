// Timers without real waiting: pauses are over at once, and a time limit is over when a test says so.

import type { Timers } from '../../storage/retry/timers.ts'

export class ImpatientTimers implements Timers {
  readonly #limitMs: number | null
  readonly #limits = new Set<{ atMs: number; action: () => void }>()
  #nowMs = 0
  /** The pauses, ms. */
  readonly waited: number[] = []
  /** How often a limit was started. */
  limitsStarted = 0

  /** A timer of `limitMs` is a limit. */
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

  /** Lets time pass for the limits. */
  pass(ms: number): void {
    this.#nowMs += ms
    for (const limit of this.#limits) {
      if (limit.atMs <= this.#nowMs && this.#limits.delete(limit)) limit.action()
    }
  }

  /** Resolves once a limit was started that many times. */
  async started(times: number): Promise<void> {
    while (this.limitsStarted < times) await new Promise((resolve) => setImmediate(resolve))
  }

  get limits(): number {
    return this.#limits.size
  }
}
