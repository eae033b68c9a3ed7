// Starts requests to one host at a bounded rate, urgent ones first.

import type { Timers } from '../../../storage/retry/timers.ts'
import type { Clock } from '../connection/time.ts'
import { msOf } from '../connection/time.ts'

export class RequestQueue {
  readonly #clock: Pick<Clock, 'monoNs'>
  readonly #timers: Timers
  readonly #stepMs: number
  readonly #urgent: (() => void)[] = []
  readonly #others: (() => void)[] = []
  /** When the next request may begin, on the monotonic clock, ms. */
  #nextMs = Number.NEGATIVE_INFINITY
  #cancel: (() => void) | undefined

  constructor(perSecond: number, { clock, timers }: { clock: Pick<Clock, 'monoNs'>; timers: Timers }) {
    this.#stepMs = 1_000 / perSecond
    this.#clock = clock
    this.#timers = timers
  }

  /** Queues `begin`, which is called when its turn comes, never before this returns. The returned function removes it
   *  from the queue. */
  enter(begin: () => void, isUrgent: boolean): () => void {
    const queue = isUrgent ? this.#urgent : this.#others
    queue.push(begin)
    this.#schedule()
    return () => {
      const index = queue.indexOf(begin)
      if (index >= 0) queue.splice(index, 1)
    }
  }

  /** Starts no request for `ms`. */
  pause(ms: number): void {
    this.#nextMs = Math.max(this.#nextMs, this.#nowMs() + ms)
  }

  #nowMs(): number {
    return msOf(this.#clock.monoNs())
  }

  #schedule(): void {
    if (this.#cancel !== undefined || this.#urgent.length + this.#others.length === 0) return
    this.#cancel = this.#timers.after(this.#nextMs - this.#nowMs(), () => {
      this.#cancel = undefined
      this.#begin()
      this.#schedule()
    })
  }

  /** Starts the next request, unless it is not due: `pause` may have been called since the timer was set. Allows 1 ms,
   *  since timers may fire a fraction of a ms early. */
  #begin(): void {
    const nowMs = this.#nowMs()
    if (nowMs < this.#nextMs - 1) return
    const begin = this.#urgent.shift() ?? this.#others.shift()
    if (begin === undefined) return
    this.#nextMs = Math.max(nowMs, this.#nextMs === Number.NEGATIVE_INFINITY ? nowMs : this.#nextMs) + this.#stepMs
    begin()
  }
}
