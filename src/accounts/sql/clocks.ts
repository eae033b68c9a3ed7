// The two clocks: a monotonic one for durations, and the calendar's.

/** Both in ms; `nowMs` is Unix time. */
export type Clocks = { elapsedMs: () => number; nowMs: () => number }

export const CLOCKS: Clocks = { elapsedMs: () => performance.now(), nowMs: () => Date.now() }
