// A clock and timers that move when a test says so.

import type { Clock } from '../../../src/record/time/clock.ts'
import type { Timers } from '../../../storage/retry/timers.ts'

const NS_PER_MS = 1_000_000

type Timer = { atMs: number; action: () => void }

export class FakeTime {
  #monoMs = 0
  #wallMs: number
  #timers: Timer[] = []

  /** Unix ms. */
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

  /** Timers that are set. */
  get waiting(): number {
    return this.#timers.length
  }

  /** The wall clock alone steps. */
  jump(ms: number): void {
    this.#wallMs += ms
  }

  /** Runs what is due on the way, in order, and what follows from it without time passing. */
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

/** Promises that need no time are through. */
async function settled(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve))
}
