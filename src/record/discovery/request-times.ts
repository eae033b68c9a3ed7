// Decides when discovery sends its requests: in loops with pauses, and for single markets. It requests a single
// market if a socket reported the market as new or ended, or if the market has no tokens yet: they may take minutes
// to appear.

import { sleep, type Timers } from '../../../storage/retry/timers.ts'

export type PollLoop = {
  /** Resolves when the first run has ended, with success or not. */
  readonly first: Promise<void>
  /** Starts the next run at once, or as soon as the current one ends. */
  hurry(): void
  /** Stops, and resolves when the current run has ended. `run` must end soon by itself. */
  stop(): Promise<void>
}

/** Starts the loop. `run` must never reject; it returns the pause until the next run, ms. */
export function pollLoop(timers: Timers, run: () => Promise<number>): PollLoop {
  let isStopped = false
  /** Ends the pause after the current run. */
  let pause = new AbortController()
  const { promise: first, resolve: firstHasEnded } = Promise.withResolvers<void>()
  const turn = async () => {
    while (!isStopped) {
      pause = new AbortController()
      const ms = await run()
      firstHasEnded()
      await sleep(ms, timers, pause.signal).catch(() => undefined)
    }
  }
  const ended = turn()
  return {
    first,
    hurry: () => pause.abort(),
    stop() {
      isStopped = true
      pause.abort()
      return ended
    },
  }
}

export type HydrationPauses = { attempts: number; fromMs: number; toMs: number }

type Hint = { isOver: boolean; attempts: number; dueMs: number }

export class Hints {
  readonly #pauses: HydrationPauses
  readonly #hints = new Map<string, Hint>()

  constructor(pauses: HydrationPauses) {
    this.#pauses = pauses
  }

  /** Adds a market, due at once. Does nothing if the market already waits with the same `isOver`. */
  add(market: string, isOver: boolean, nowMs: number): void {
    if (this.#hints.get(market)?.isOver === isOver) return
    this.#hints.set(market, { isOver, attempts: 0, dueMs: nowMs })
  }

  /** Returns the markets whose request is due. */
  due(isOver: boolean, nowMs: number): string[] {
    const due = [...this.#hints].filter(([, hint]) => hint.isOver === isOver && hint.dueMs <= nowMs)
    return due.map(([market]) => market)
  }

  /** Notes that a market was requested. Removes the market if the request was answered, or was the last attempt. Then
   *  only a scan can still find the market. */
  asked(market: string, isAnswered: boolean, nowMs: number): void {
    const hint = this.#hints.get(market)
    if (hint === undefined) return
    const { attempts, fromMs, toMs } = this.#pauses
    if (isAnswered || ++hint.attempts > attempts) {
      this.#hints.delete(market)
      return
    }
    const share = attempts <= 1 ? 0 : (hint.attempts - 1) / (attempts - 1)
    hint.dueMs = nowMs + fromMs + (toMs - fromMs) * share
  }

  /** Time at which the next request is due, Unix ms; null if no market waits. */
  get nextMs(): number | null {
    return this.#hints.size === 0 ? null : Math.min(...[...this.#hints.values()].map(({ dueMs }) => dueMs))
  }
}
