// Repeats a function with pauses until it is stopped.

import type { Timers } from '../../../storage/retry/timers.ts'

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
  let isHurried = false
  let wake: (() => void) | undefined
  const { promise: first, resolve: firstHasEnded } = Promise.withResolvers<void>()
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      if (isStopped || isHurried) return resolve()
      const cancel = timers.after(ms, resolve)
      wake = () => {
        cancel()
        resolve()
      }
    })
  const turn = async () => {
    while (!isStopped) {
      isHurried = false
      const ms = await run()
      firstHasEnded()
      await pause(ms)
      wake = undefined
    }
    firstHasEnded()
  }
  const ended = turn()
  return {
    first,
    hurry() {
      isHurried = true
      wake?.()
    },
    stop() {
      isStopped = true
      wake?.()
      return ended
    },
  }
}
