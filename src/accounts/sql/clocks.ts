// The two clocks: one that never steps back, for durations, and the calendar's.

/** Both in ms; `nowMs` is Unix time. */
export type Clocks = { elapsedMs: () => number; nowMs: () => number }

export const CLOCKS: Clocks = { elapsedMs: () => performance.now(), nowMs: () => Date.now() }
