// Sends a late read a second time and takes the first answer, so that one slow disk or gateway among many does not
// delay it. A read is late if it takes longer than 95 of 100 reads before it. At most one read in twenty is sent twice,
// so that a store that is slow as a whole does not get twice the load.
// Dean and Barroso, "The Tail at Scale", Communications of the ACM, 2013.

import { TransientFailure } from '../../retry/with-retry.ts'
import type { Clock } from './tries.ts'

const RECENT_MAX = 128
/** With fewer recent reads than this, no read counts as late. */
const RECENT_MIN = 20
/** The limit for late reads is computed again after this many reads. */
const READS_BETWEEN = 10
const SECOND_READS_SHARE = 0.05
/** The maximum number of second reads that can be saved up for a time when many reads are late. */
const CREDIT_MAX = 5
/** Below this time a second read costs more than it saves. */
const LATE_MS_MIN = 5

export class HedgedReads {
  readonly #clock: Clock
  readonly #recentMs: number[] = []
  #count = 0
  /** A read that takes longer than this counts as late, ms; null while no read counts as late. */
  #lateMs: number | null = null
  #credit = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Runs a read. `again` starts the second read, or returns null if there is no room for one. When one read succeeds,
   *  aborts the signal of the other. A transient failure of one read is ignored while the other read is pending. */
  async run<T>(
    read: (signal: AbortSignal) => Promise<T>,
    again: (signal: AbortSignal) => Promise<T> | null,
    signal: AbortSignal,
  ): Promise<T> {
    const startMs = this.#clock.steadyMs()
    const over = new AbortController()
    const until = AbortSignal.any([signal, over.signal])
    const answer = Promise.withResolvers<T>()
    let pending = 0
    const start = (read: Promise<T>) => {
      pending++
      read.then(answer.resolve, (error) => {
        pending--
        if (pending === 0 || !(error instanceof TransientFailure)) answer.reject(error)
      })
    }

    this.#credit = Math.min(CREDIT_MAX, this.#credit + SECOND_READS_SHARE)
    start(read(until))
    const askAgain = () => {
      const second = this.#credit < 1 ? null : again(until)
      if (second === null) return
      this.#credit--
      start(second)
    }
    const stop = this.#lateMs === null ? null : this.#clock.after(this.#lateMs, askAgain)
    try {
      const first = await answer.promise
      this.#remember(this.#clock.steadyMs() - startMs)
      return first
    } finally {
      stop?.()
      over.abort()
    }
  }

  #remember(tookMs: number): void {
    this.#recentMs[this.#count++ % RECENT_MAX] = tookMs
    if (this.#count < RECENT_MIN || this.#count % READS_BETWEEN !== 0) return
    const sorted = this.#recentMs.toSorted((a, b) => a - b)
    this.#lateMs = Math.max(LATE_MS_MIN, sorted[Math.floor(sorted.length * 0.95)]!)
  }
}
