// Watches the threads of a pool: reports each one that ends, and ends one that is stuck.

import type { Worker } from 'node:worker_threads'
import type { Piscina } from 'piscina'
import { PulseWatch, pulseMemory } from './pulse.ts'

/** A thread is stuck if its pulse does not change in this many checks: for a minute. */
const LOOKS_MAX = 6
export const CHECK_EVERY_MS = 10_000
/** Time between the end of a thread and a check of the pool. If the pool has no thread, the check makes it start
 *  one. */
const REVIVE_MS = 1_000

/** Called with the reason when a thread has ended. */
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

  /** Starts watching the pool. `revive` gives the pool a small task, so that it starts a thread. */
  follow(pool: Piscina, { checkEveryMs, revive }: { checkEveryMs: number; revive: () => void }): void {
    this.#pool = pool
    // Without a listener, the error of an idle thread would end the process. The thread ends too, and its end is
    // reported below.
    pool.on('error', () => undefined)
    pool.on('workerCreate', () => this.#followNew(revive))
    this.#followNew(revive)
    this.#timer = setInterval(() => this.#check(), checkEveryMs)
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
    // The pool announces the replacement when it is ready, which may never happen. So follow the new thread now.
    setImmediate(() => this.#followNew(revive))
    // A pool without threads does not start a thread by itself, even if tasks wait. On a busy machine the pool may
    // also have started a thread only now. Without this check, the end of that thread would go unnoticed.
    const checkPool = () => {
      if (this.#isClosing) return
      if (this.#threads().length === 0) revive()
      this.#followNew(revive)
    }
    setTimeout(checkPool, REVIVE_MS).unref()
  }

  #check(): void {
    const ids = this.#pulses.check()
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
