// Tests the RateLimit headers.

import { expect, test } from 'bun:test'
import { Allowance } from '../../accounts/usage/allowance.ts'
import { readPlans } from '../../accounts/usage/plans.ts'
import { rateLimit, rateLimitPolicy } from './rate-limit-headers.ts'

const NOW = Date.parse('2026-11-30T23:59:50Z')

test.each([
  [{ calls_per_month: 100 }, '"month";q=100', '"month";r=99;t=10'],
  [{ calls_per_month: null, calls_per_second: 2, burst: 5 }, '"burst";q=5;w=3', '"burst";r=4;t=1'],
  [
    { calls_per_month: 9, calls_per_second: 0.1 },
    '"month";q=9, "burst";q=1;w=10',
    '"month";r=8;t=10, "burst";r=0;t=10',
  ],
  [{ calls_per_month: null }, '', ''],
])('%j', (limits, policy, left) => {
  const plan = readPlans({ default: 'p', plans: [{ id: 'p', name: 'P', ...limits }] }).default
  const allowance = new Allowance(plan, 0, 0, NOW)
  allowance.admit(plan, true, 0, NOW)
  expect([rateLimitPolicy(plan), rateLimit({ allowance, elapsedMs: 0, nowMs: NOW })]).toEqual([policy, left])
})
