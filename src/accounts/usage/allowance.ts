// The remaining allowance of one user: calls left in the month, and tokens in the bucket. A call is reserved when it
// is admitted and counted when its answer counts, so concurrent calls cannot exceed the quota. Reads no clock:
// callers pass the time of a monotonic clock (`elapsedMs`) and Unix time (`nowMs`).

import { monthOf, monthStartMs, nextMonthStartMs } from './calendar.ts'
import type { Plan } from './plans.ts'
import { TokenBucket } from './token-bucket.ts'

export type Refusal = { reason: 'quota_exceeded' | 'rate_limited'; retryAfterSeconds: number }

export class Allowance {
  #plan: Plan
  #bucket: TokenBucket | null
  #month = ''
  #monthStartMs = 0
  #monthEndMs = 0
  /** Calls of the month that are in the database. */
  #stored = 0
  /** Calls counted here that are not yet in the database. */
  #unwritten = 0
  /** Admitted calls without an answer yet. */
  #reserved = 0
  /** Time of the last admission or refusal, in elapsed ms. */
  usedMs: number

  /** `stored`: the calls of this month in the database. */
  constructor(plan: Plan, stored: number, elapsedMs: number, nowMs: number) {
    this.#plan = plan
    this.#bucket = bucketOf(plan, elapsedMs)
    this.#enterMonth(nowMs)
    this.#stored = stored
    this.usedMs = elapsedMs
  }

  get plan(): Plan {
    return this.#plan
  }

  get isAtRest(): boolean {
    return this.#reserved === 0 && this.#unwritten === 0
  }

  /** Returns null if the call is admitted: it takes a token, and is reserved if it is billable. */
  admit(plan: Plan, isBillable: boolean, elapsedMs: number, nowMs: number): Refusal | null {
    if (plan !== this.#plan) {
      this.#plan = plan
      this.#bucket = bucketOf(plan, elapsedMs)
    }
    this.#enterMonth(nowMs)
    this.usedMs = elapsedMs
    if (isBillable && this.#left <= 0) {
      return { reason: 'quota_exceeded', retryAfterSeconds: this.monthEndsInSeconds(nowMs) }
    }
    if (this.#bucket !== null && !this.#bucket.take(elapsedMs)) {
      return rateLimited(this.#bucket.secondsUntil(1, elapsedMs))
    }
    if (isBillable) this.#reserved += 1
    return null
  }

  /** Adds calls to an admitted billable call. Returns null, or the reason for a refusal. */
  admitMore(calls: number, elapsedMs: number, nowMs: number): Refusal | null {
    this.#enterMonth(nowMs)
    if (this.#left < calls) return { reason: 'quota_exceeded', retryAfterSeconds: this.monthEndsInSeconds(nowMs) }
    if (this.#bucket !== null && !this.#bucket.takeMore(calls, elapsedMs)) {
      return rateLimited(this.#bucket.secondsUntilMore(calls, elapsedMs))
    }
    this.#reserved += calls
    return null
  }

  /** Ends the reservation of billable calls. `counts` is true if the calls count against the plan. */
  settle(counts: boolean, nowMs: number, calls = 1): void {
    this.#reserved -= calls
    this.#enterMonth(nowMs)
    if (counts) this.#unwritten += calls
  }

  /** Records that `calls` of a month were written. `stored` is the number in the database now, from all processes. */
  written(month: string, calls: number, stored: number): void {
    if (month !== this.#month) return
    // The difference is negative if the clock was set back across the end of a month in between.
    this.#unwritten = Math.max(0, this.#unwritten - calls)
    this.#stored = stored
  }

  /** Null if the plan has no quota. */
  get callsLeft(): number | null {
    return this.#plan.callsPerMonth === null ? null : Math.max(0, this.#left)
  }

  monthEndsInSeconds(nowMs: number): number {
    return Math.ceil((this.#monthEndMs - nowMs) / 1_000)
  }

  /** Null if the plan has no rate. */
  burstLeft(elapsedMs: number): number | null {
    return this.#bucket?.left(elapsedMs) ?? null
  }

  burstIsFullInSeconds(elapsedMs: number): number {
    return Math.ceil(this.#bucket?.secondsUntil(this.#plan.burst, elapsedMs) ?? 0)
  }

  get #left(): number {
    return (this.#plan.callsPerMonth ?? Number.POSITIVE_INFINITY) - this.#stored - this.#unwritten - this.#reserved
  }

  /** Starts a new month if needed. The calls that other processes counted in the new month are known only after the
   *  next write. */
  #enterMonth(nowMs: number): void {
    if (nowMs >= this.#monthStartMs && nowMs < this.#monthEndMs) return
    this.#month = monthOf(nowMs)
    this.#monthStartMs = monthStartMs(nowMs)
    this.#monthEndMs = nextMonthStartMs(nowMs)
    this.#stored = 0
    this.#unwritten = 0
  }
}

const rateLimited = (seconds: number): Refusal => {
  return { reason: 'rate_limited', retryAfterSeconds: Math.max(1, Math.ceil(seconds)) }
}

function bucketOf({ callsPerSecond, burst }: Plan, elapsedMs: number): TokenBucket | null {
  return callsPerSecond === null ? null : new TokenBucket({ perSecond: callsPerSecond, burst }, elapsedMs)
}
