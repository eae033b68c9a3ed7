// The clocks and random numbers of the recorder, in types that tests can implement; a timer for several deadlines; and
// the clock of this machine. The machine's wall clock ticks in milliseconds. Between ticks, `MachineClock` adds the
// time that passed on the monotonic clock since both clocks were read. A small change of the difference between the
// two clocks is drift: `MachineClock` follows it. A larger change is a jump: `MachineClock` follows and reports it.

import type { Timers } from '../../../storage/retry/timers.ts'
import { NS_PER_MS } from '../../../storage/units.ts'

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

/** A smaller change of the difference between the clocks may come from the ticks of the wall clock. */
const DRIFT_MS = 2
/** If two readings are at most this far apart, nothing else ran between them. */
const AT_ONCE_NS = 100_000n
/** Maximum number of readings while waiting for a tick. Fewer readings than this fit between two ticks. */
const READINGS_MAX = 20_000

type ClockReadings = { wallMs(): number; monoNs(): bigint }

export class MachineClock implements Clock {
  readonly #readings: ClockReadings
  /** Wall time minus monotonic time. */
  #offsetNs: bigint

  constructor(readings: ClockReadings = { wallMs: Date.now, monoNs: process.hrtime.bigint }) {
    this.#readings = readings
    this.#offsetNs = this.#atTick()
  }

  monoNs(): bigint {
    return this.#readings.monoNs()
  }

  wallNs(): bigint {
    return this.#readings.monoNs() + this.#offsetNs
  }

  /** Follows the wall clock. Must be called once a second. Returns how far the wall clock has moved against the
   *  monotonic clock since the last call, ms; 0 if that is less than `DRIFT_MS`. */
  follow(): number {
    let measuredNs = this.#read().offsetNs
    if (this.#movedMs(measuredNs) <= -DRIFT_MS) measuredNs = this.#atTick()
    const movedMs = this.#movedMs(measuredNs)
    if (movedMs > 0 || movedMs <= -DRIFT_MS) this.#offsetNs = measuredNs
    return Math.abs(movedMs) < DRIFT_MS ? 0 : movedMs
  }

  #movedMs(offsetNs: bigint): number {
    return Number(offsetNs - this.#offsetNs) / 1e6
  }

  /** Reads both clocks. `offsetNs` is too small by the time since the wall clock's last tick, and by the time between
   *  the two readings. */
  #read() {
    const wallNs = BigInt(this.#readings.wallMs()) * NS_PER_MS
    const monoNs = this.#readings.monoNs()
    return { wallNs, monoNs, offsetNs: wallNs - monoNs }
  }

  /** Reads until the wall clock ticks. Returns the greatest offset, which is the most precise. */
  #atTick(): bigint {
    let last = this.#read()
    let greatestNs = last.offsetNs
    for (let i = 0; i < READINGS_MAX; i++) {
      const read = this.#read()
      if (read.offsetNs > greatestNs) greatestNs = read.offsetNs
      if (read.wallNs !== last.wallNs && read.monoNs - last.monoNs <= AT_ONCE_NS) break
      last = read
    }
    return greatestNs
  }
}

/** One timer for several deadlines. It fires at the earliest of them. */
export class DeadlineTimer {
  readonly #clock: Pick<Clock, 'monoNs'>
  readonly #timers: Timers
  readonly #due: (nowMs: number) => number
  #atMs = Number.POSITIVE_INFINITY
  #cancel: (() => void) | undefined

  /** `due` is called when the deadline has passed, and returns the next deadline. Times are ms of the monotonic clock;
   *  Infinity means no deadline. */
  constructor({ clock, timers }: { clock: Pick<Clock, 'monoNs'>; timers: Timers }, due: (nowMs: number) => number) {
    this.#clock = clock
    this.#timers = timers
    this.#due = due
  }

  get nowMs(): number {
    return msOf(this.#clock.monoNs())
  }

  /** Adds a deadline. */
  wakeAt(ms: number): void {
    if (ms >= this.#atMs) return
    this.cancel()
    this.#atMs = ms
    this.#cancel = this.#timers.after(ms - this.nowMs, () => {
      this.#atMs = Number.POSITIVE_INFINITY
      this.wakeAt(this.#due(this.nowMs))
    })
  }

  cancel(): void {
    this.#cancel?.()
    this.#atMs = Number.POSITIVE_INFINITY
  }
}
