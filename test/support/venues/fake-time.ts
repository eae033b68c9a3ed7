// A clock and timers that a test advances.

import type { Clock } from '../../../src/record/time/clock.ts'
import type { Timers } from '../../../storage/retry/timers.ts'

const NS_PER_MS = 1_000_000

type Timer = { atMs: number; action: () => void }

export class FakeTime {
  #monoMs = 0
  #wallMs: number
  #timers: Timer[] = []

  /** `wallMs` is the start of the wall clock, Unix ms. */
  constructor(wallMs: number) {
    this.#wallMs = wallMs
  }

  readonly clock: Clock = {
    wallNs: () => BigInt(Math.round(this.#wallMs * NS_PER_MS)),
    monoNs: () => BigInt(Math.round(this.#monoMs * NS_PER_MS)),
  }

  readonly timers: Timers = {
    after: (ms, action) => {
      const timer = { atMs: this.#monoMs + Math.max(0, ms), action }
      this.#timers.push(timer)
      return () => {
        this.#timers = this.#timers.filter((each) => each !== timer)
      }
    },
  }

  get nowMs(): number {
    return this.#wallMs
  }

  /** Returns the number of timers that are set. */
  get waiting(): number {
    return this.#timers.length
  }

  /** Steps the wall clock only. */
  jump(ms: number): void {
    this.#wallMs += ms
  }

  /** Runs the timers that become due, in order, and everything that follows from them without time passing. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#monoMs + ms
    for (;;) {
      await settled()
      const due = this.#timers.filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0]
      if (due === undefined) break
      this.#timers = this.#timers.filter((each) => each !== due)
      this.#move(due.atMs)
      due.action()
    }
    this.#move(endMs)
  }

  #move(monoMs: number): void {
    const passed = Math.max(0, monoMs - this.#monoMs)
    this.#monoMs += passed
    this.#wallMs += passed
  }
}

/** Resolves once all promises that need no time are settled. */
async function settled(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve))
}
