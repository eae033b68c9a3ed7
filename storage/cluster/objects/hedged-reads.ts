// Asks a second time for what is late, and takes the answer that comes first: one slow disk or gateway among many is
// not waited for. Late is what takes longer than 95 of 100 reads before it. At most one read in twenty is asked for
// twice, so that a store that is slow as a whole is not asked for twice as much.
// Dean and Barroso, "The Tail at Scale", Communications of the ACM, 2013.

import { TransientFailure } from '../../retry/with-retry.ts'
import type { Clock } from './tries.ts'

const RECENT_MAX = 128
/** Before so many are known, nothing counts as late. */
const RECENT_MIN = 20
/** What is late is found anew after so many. */
const READS_BETWEEN = 10
const SECOND_READS_SHARE = 0.05
/** Second reads that may be saved up for a bad moment. */
const CREDIT_MAX = 5
/** Below this a second read costs more than it saves. */
const LATE_MS_MIN = 5

export class HedgedReads {
  readonly #clock: Clock
  readonly #recentMs: number[] = []
  #count = 0
  /** Null while nothing is late. */
  #lateMs: number | null = null
  #credit = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** `again` starts the second read, or returns null where there is no room for one. The read that is not needed any
   *  more has its signal aborted. A failure counts once nobody else is asked. */
  async run<T>(
    read: (signal: AbortSignal) => Promise<T>,
    again: (signal: AbortSignal) => Promise<T> | null,
    signal: AbortSignal,
  ): Promise<T> {
    const startMs = this.#clock.steadyMs()
    const over = new AbortController()
    const until = AbortSignal.any([signal, over.signal])
    const answer = Promise.withResolvers<T>()
    let asked = 0
    const ask = (read: Promise<T>) => {
      asked++
      read.then(answer.resolve, (error) => {
        asked--
        if (asked === 0 || !(error instanceof TransientFailure)) answer.reject(error)
      })
    }

    this.#credit = Math.min(CREDIT_MAX, this.#credit + SECOND_READS_SHARE)
    ask(read(until))
    const askAgain = () => {
      const second = this.#credit < 1 ? null : again(until)
      if (second === null) return
      this.#credit--
      ask(second)
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
