// Warms up the threads of a pool in the background: code that has not run yet is slow, and the first answers of each
// kind would take several times as long as later ones. Requests go before: a thread is asked for one made-up answer at
// a time, and for none while anything is being answered or was a moment ago.

import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

/** What a thread says after each made-up answer. */
export type WarmUpStep = { threadId: number; isWarm: boolean }

export type WarmUpOptions = {
  threads: number
  /** Asks some thread, the least busy one, for its next made-up answer. */
  step(day: SharedArrayBuffer): Promise<WarmUpStep>
  /** Whether nothing is being answered, nor was a moment ago. */
  isQuiet(): boolean
  /** The day to warm up on, serialized. */
  makeDay?: (signal: AbortSignal) => Promise<SharedArrayBuffer>
  wait?: (signal: AbortSignal) => Promise<void>
}

const LOOK_EVERY_MS = 100

export class WarmUp {
  readonly #options: Required<WarmUpOptions>
  readonly #warm = new Set<number>()
  readonly #stop = new AbortController()

  constructor({ makeDay = makeDayInThread, wait = waitSomeTime, ...options }: WarmUpOptions) {
    this.#options = { makeDay, wait, ...options }
  }

  /** How many threads are warm. */
  get warmCount(): number {
    return this.#warm.size
  }

  /** Resolves when the threads are warm, or after `stop`. Rejects where one of them fails: they answer as they would
   *  without. */
  async run(): Promise<void> {
    const { threads, makeDay } = this.#options
    const { signal } = this.#stop
    try {
      await this.#quiet()
      const day = await makeDay(signal)
      await Promise.all(Array.from({ length: threads }, () => this.#keepAsking(day)))
    } catch (error) {
      if (signal.aborted) return
      this.stop()
      throw error
    }
  }

  stop(): void {
    this.#stop.abort()
  }

  async #keepAsking(day: SharedArrayBuffer): Promise<void> {
    const { threads, step } = this.#options
    while (this.#warm.size < threads) {
      await this.#quiet()
      const { threadId, isWarm } = await step(day)
      if (isWarm) this.#warm.add(threadId)
    }
  }

  async #quiet(): Promise<void> {
    const { isQuiet, wait } = this.#options
    const { signal } = this.#stop
    for (signal.throwIfAborted(); !isQuiet(); signal.throwIfAborted()) await wait(signal)
  }
}

const waitSomeTime = (signal: AbortSignal) => pause(LOOK_EVERY_MS, undefined, { signal, ref: false })

async function makeDayInThread(signal: AbortSignal): Promise<SharedArrayBuffer> {
  const thread = new Worker(new URL('../warm-up/day-thread.ts', import.meta.url))
  thread.unref()
  const made = Promise.withResolvers<SharedArrayBuffer>()
  thread.once('message', made.resolve)
  thread.once('error', made.reject)
  thread.once('exit', () => made.reject(new Error('the thread that makes a day has ended before its work')))
  signal.addEventListener('abort', () => made.reject(signal.reason), { once: true })
  try {
    return await made.promise
  } finally {
    await thread.terminate()
  }
}
