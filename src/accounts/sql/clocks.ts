// The two clocks: one that measures and never steps back, and the calendar's.

/** Both in ms; `nowMs` since 1970. */
export type Clocks = { elapsedMs: () => number; nowMs: () => number }

export const CLOCKS: Clocks = { elapsedMs: () => performance.now(), nowMs: () => Date.now() }
