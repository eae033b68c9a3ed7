// Calls with known keys, for tests of what is counted.

import { Allowance } from '../../src/accounts/usage/allowance.ts'
import type { Call } from '../../src/accounts/usage/call.ts'
import { builtInPlans } from '../../src/accounts/usage/plans.ts'
import { UsageBatch } from '../../src/accounts/usage/usage-batch.ts'

const ANSWERED_MS = Date.parse('2026-11-21T13:30:00.000Z')

export function answeredCall(changes: Partial<Omit<Call, 'key'>> & { userId?: string; keyId?: string } = {}): Call {
  const { userId = 'ann', keyId = `key_of_${userId}`, ...rest } = changes
  const nowMs = rest.nowMs ?? ANSWERED_MS
  return {
    key: { keyId, secretSha256: 'aa', userId, plan: 'free', scopes: null },
    method: 'GET',
    path: '/kalshi/market/data',
    venue: 'kalshi',
    market: 'KXTEST',
    isBillable: true,
    allowance: new Allowance(builtInPlans().default, 0, 0, nowMs),
    refusal: null,
    calls: 1,
    elapsedMs: 0,
    nowMs,
    status: 200,
    durationMs: 2,
    counts: true,
    ...rest,
  }
}

export function batchOf(calls: Call[], nowMs = ANSWERED_MS): UsageBatch {
  const batch = new UsageBatch(nowMs)
  for (const call of calls) batch.add(call)
  return batch
}
