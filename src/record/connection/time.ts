// Clocks and random numbers as parameters of the recorder's state machines, so that tests can pass their own.

export type Clock = {
  /** Unix time in nanoseconds. It may jump. */
  wallNs(): bigint
  /** Nanoseconds of a monotonic clock with an arbitrary zero. */
  monoNs(): bigint
}

/** Returns a number from 0 up to, but not including, 1. */
export type Random = () => number

/** Converts nanoseconds to milliseconds, with fractions. */
export const msOf = (ns: bigint): number => Number(ns) / 1e6
