// What a replay needs of time, passed in so that tests have a clock of their own.

import { systemTimers, type Timers } from '../../storage/retry/timers.ts'

export type ReplayTimers = Timers & {
  /** By a clock that never steps back. */
  nowMs(): number
  /** Behind what already waits to run. */
  soon(run: () => void): void
}

export const REPLAY_TIMERS: ReplayTimers = {
  ...systemTimers,
  nowMs: () => performance.now(),
  soon: (run) => void setImmediate(run),
}
