// Does a thing again and again, with a pause between, until it is stopped.

import type { Timers } from '../../../storage/retry/timers.ts'

export type PollLoop = {
  /** The first time is through, however it ended. */
  readonly first: Promise<void>
  /** Begins at once, or as soon as what runs is through. */
  hurry(): void
  /** Resolves when nothing runs any more. `run` must end soon by itself. */
  stop(): Promise<void>
}

/** `run` never rejects. It returns the pause until the next time, ms. */
export function pollLoop(timers: Timers, run: () => Promise<number>): PollLoop {
  let isStopped = false
  let isHurried = false
  let wake: (() => void) | undefined
  const { promise: first, resolve: firstIsThrough } = Promise.withResolvers<void>()
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
      firstIsThrough()
      await pause(ms)
      wake = undefined
    }
    firstIsThrough()
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
