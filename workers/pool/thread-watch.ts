// The threads of a pool as they come and go: each that ends is told of, and one that is stuck is ended.

import type { Worker } from 'node:worker_threads'
import type { Piscina } from 'piscina'
import { PulseWatch, pulseMemory } from './pulse.ts'

/** A thread is stuck whose pulse stands still in so many looks: for a minute. */
const LOOKS_MAX = 6
export const LOOK_EVERY_MS = 10_000
/** Of a pool without any thread: one is asked for as long as tasks wait. */
const REVIVE_MS = 1_000

/** Why a thread ended, in words for the log. */
export type OnThreadEnd = (reason: string) => void

export class ThreadWatch {
  readonly memory: SharedArrayBuffer
  readonly #pulses: PulseWatch
  readonly #known = new WeakSet<Worker>()
  readonly #stuck = new Set<number>()
  readonly #onThreadEnd: OnThreadEnd
  #pool: Piscina | undefined
  #timer: Timer | undefined
  #isClosing = false

  constructor(threads: number, onThreadEnd: OnThreadEnd) {
    this.memory = pulseMemory(threads)
    this.#pulses = new PulseWatch(this.memory, LOOKS_MAX)
    this.#onThreadEnd = onThreadEnd
  }

  /** `revive` asks the pool for something small. */
  follow(pool: Piscina, { lookEveryMs, revive }: { lookEveryMs: number; revive: () => void }): void {
    this.#pool = pool
    // A pool without a listener ends the process with an error of a thread that had nothing in hand. It comes with the
    // thread's end, which is told of below.
    pool.on('error', () => undefined)
    pool.on('workerCreate', () => this.#followNew(revive))
    this.#followNew(revive)
    this.#timer = setInterval(() => this.#look(), lookEveryMs)
    this.#timer.unref()
  }

  close(): void {
    this.#isClosing = true
    clearInterval(this.#timer)
  }

  #followNew(revive: () => void): void {
    for (const thread of this.#threads()) {
      if (this.#known.has(thread)) continue
      this.#known.add(thread)
      const { threadId } = thread
      let failure: Error | undefined
      thread.once('error', (error: Error) => {
        failure = error
      })
      thread.once('exit', (code: number) => this.#ended(threadId, failure?.message ?? `it exited with ${code}`, revive))
    }
  }

  #ended(id: number, failure: string, revive: () => void): void {
    this.#pulses.forget(id)
    const isStuck = this.#stuck.delete(id)
    if (this.#isClosing) return
    this.#onThreadEnd(isStuck ? 'it was stuck, and was ended' : failure)
    // The one in its place is told of by the pool when it is ready, which it may never be.
    setImmediate(() => this.#followNew(revive))
    // Without a thread the pool starts no other by itself, and a task that waits needs one. On a busy machine it may
    // have started one only now, whose end would be told to nobody.
    const again = () => {
      if (this.#isClosing) return
      if (this.#threads().length === 0) revive()
      this.#followNew(revive)
    }
    setTimeout(again, REVIVE_MS).unref()
  }

  #look(): void {
    const ids = this.#pulses.look()
    if (ids.length === 0) return
    for (const thread of this.#threads()) {
      if (!ids.includes(thread.threadId)) continue
      this.#stuck.add(thread.threadId)
      void thread.terminate()
    }
  }

  #threads(): Worker[] {
    return (this.#pool?.threads ?? []) as Worker[]
  }
}
