// The timers and clock of a replay, passed in so that tests can have their own.

import { systemTimers, type Timers } from '../../storage/retry/timers.ts'

export type ReplayTimers = Timers & {
  /** Time of a monotonic clock, ms. */
  nowMs(): number
  /** Runs a function after everything that already waits in the event loop. */
  soon(run: () => void): void
}

export const REPLAY_TIMERS: ReplayTimers = {
  ...systemTimers,
  nowMs: () => performance.now(),
  soon: (run) => void setImmediate(run),
}
