// Clocks and chance as the recorder's state machines take them, so that tests pass their own.

export type Clock = {
  /** Unix time in nanoseconds. It may step. */
  wallNs(): bigint
  /** Nanoseconds on a clock that never steps. Its zero is any moment. */
  monoNs(): bigint
}

/** From 0 up to, not including, 1. */
export type Random = () => number

/** Fractions are kept. */
export const msOf = (ns: bigint): number => Number(ns) / 1e6
