// Tries a request to a store up to three times, with a time limit for each try and for all of them, and a bounded
// number of requests at once.

import { inTime, systemTimers, type Timers } from '../../retry/timers.ts'
import { backoff, TransientFailure, withRetry } from '../../retry/with-retry.ts'
import type { Turns } from './turns.ts'

export type Clock = Timers & {
  /** Returns the current time, Unix ms. */
  wallMs(): number
  /** Returns the time of a clock that never steps, ms, for deadlines. */
  steadyMs(): number
}

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  steadyMs: () => performance.now(),
  after: systemTimers.after,
}

const ATTEMPTS = 3
const BACKOFF = { firstMs: 150, factor: 4 }

type TryLimits = { timeoutMs: number; turns: Turns; clock: Clock; random: () => number }

/** Runs `attempt`. Rejects with the last TransientFailure, or at once with any other error. Takes at most three times
 *  `timeoutMs`, including the wait for a turn. One try takes at most `timeoutMs`; its signal aborts then. */
export function withTries<T>(attempt: (signal: AbortSignal) => Promise<T>, limits: TryLimits): Promise<T> {
  const { timeoutMs, turns, clock, random } = limits
  const endMs = clock.steadyMs() + ATTEMPTS * timeoutMs
  const leftMs = () => endMs - clock.steadyMs()
  const within = <R>(work: (signal: AbortSignal) => Promise<R>, ms: number, what: string): Promise<R> =>
    inTime(work, ms, () => new TransientFailure(`${what} within ${Math.ceil(ms) / 1_000} s`), clock)

  const once = async () => {
    const wait = (signal: AbortSignal) => turns.take(signal)
    const endTurn = turns.takeNow() ?? (await within(wait, leftMs(), 'too many other requests are running, no turn'))
    try {
      return await within(attempt, Math.min(timeoutMs, leftMs()), 'no whole answer')
    } finally {
      endTurn()
    }
  }
  return withRetry(once, { attempts: ATTEMPTS, waitMs: backoff({ ...BACKOFF, random }), leftMs, timers: clock })
}
