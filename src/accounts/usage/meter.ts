// Admits or refuses calls by the user's plan, and counts the answered ones. A user's allowance is read from the
// database with its first call, and cached while the user keeps calling.

import assert from 'node:assert/strict'
import type { ActiveKey } from '../keys/key-directory.ts'
import { CLOCKS, type Clocks } from '../sql/clocks.ts'
import { Allowance, type Refusal } from './allowance.ts'
import { monthOf } from './calendar.ts'
import { answeredMs, type Call, type RequestedCall } from './call.ts'
import { type Plans, planOf } from './plans.ts'
import type { UsageBatch } from './usage-batch.ts'
import type { MonthCalls } from './usage-store.ts'

export type MeterParts = {
  plans: Plans
  /** Reads the calls of a user in a month from the database. */
  readCalls: (userId: string, month: string) => Promise<number>
  record: (call: Call) => void
  clocks?: Clocks
}

/** An allowance that was not used for this long is dropped, and read again when needed. */
const IDLE_MS_MAX = 600_000
const SWEEP_EVERY_MS = 60_000

export class Meter {
  readonly #parts: MeterParts
  readonly #clocks: Clocks
  readonly #allowances = new Map<string, Allowance>()
  readonly #loading = new Map<string, Promise<void>>()
  #sweptMs = 0

  constructor(parts: MeterParts) {
    this.#parts = parts
    this.#clocks = parts.clocks ?? CLOCKS
  }

  /** Returns undefined if the user's calls are known. Otherwise reads them and returns a promise, which may reject. */
  ready(key: ActiveKey): Promise<void> | undefined {
    if (this.#allowances.has(key.userId)) return undefined
    let loading = this.#loading.get(key.userId)
    if (!loading) {
      loading = this.#load(key).finally(() => this.#loading.delete(key.userId))
      this.#loading.set(key.userId, loading)
    }
    return loading
  }

  /** Admits or refuses a call. The key must be ready. Settle every call, refused or not. */
  admit(key: ActiveKey, question: RequestedCall): Call {
    const allowance = this.#allowances.get(key.userId)
    assert(allowance, 'the calls of a user must be read before it is admitted')
    const elapsedMs = this.#clocks.elapsedMs()
    const nowMs = this.#clocks.nowMs()
    const refusal = allowance.admit(planOf(this.#parts.plans, key.plan), question.isBillable, elapsedMs, nowMs)
    return { ...question, key, allowance, refusal, elapsedMs, nowMs, calls: 1, status: 0, durationMs: 0, counts: false }
  }

  /** Makes an admitted call count as `calls`. Returns null, or the reason for a refusal. */
  charge(call: Call, calls: number): Refusal | null {
    if (!call.isBillable || calls <= call.calls) return null
    const refusal = call.allowance.admitMore(calls - call.calls, this.#clocks.elapsedMs(), this.#clocks.nowMs())
    if (refusal !== null) return refusal
    call.calls = calls
    return null
  }

  settle(call: Call, status: number): void {
    call.status = status
    call.durationMs = this.#clocks.elapsedMs() - call.elapsedMs
    if (call.isBillable && call.refusal === null) {
      call.counts = (status >= 200 && status < 300) || status === 304 || status === 101
      call.allowance.settle(call.counts, answeredMs(call), call.calls)
    }
    this.#parts.record(call)
  }

  /** Call this when a batch is in the database. */
  written({ month, users }: UsageBatch, monthCalls: MonthCalls): void {
    for (const [userId, { calls }] of users) {
      this.#allowances.get(userId)?.written(month, calls, monthCalls.get(userId) ?? 0)
    }
    this.#sweep()
  }

  async #load({ userId, plan }: ActiveKey): Promise<void> {
    const nowMs = this.#clocks.nowMs()
    const stored = await this.#parts.readCalls(userId, monthOf(nowMs))
    const userPlan = planOf(this.#parts.plans, plan)
    this.#allowances.set(userId, new Allowance(userPlan, stored, this.#clocks.elapsedMs(), nowMs))
  }

  #sweep(): void {
    const elapsedMs = this.#clocks.elapsedMs()
    if (elapsedMs - this.#sweptMs < SWEEP_EVERY_MS) return
    this.#sweptMs = elapsedMs
    for (const [userId, allowance] of this.#allowances) {
      const isIdle = elapsedMs - allowance.usedMs > IDLE_MS_MAX && allowance.burstIsFullInSeconds(elapsedMs) === 0
      if (isIdle && allowance.isAtRest) this.#allowances.delete(userId)
    }
  }
}
