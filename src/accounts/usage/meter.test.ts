// Tests the meter: it reads a user's calls once, admits calls by the plan, and records them when they are answered.

import { expect, test } from 'bun:test'
import type { ActiveKey } from '../keys/key-directory.ts'
import type { Call, RequestedCall } from './call.ts'
import { Meter } from './meter.ts'
import { readPlans } from './plans.ts'
import { UsageBatch } from './usage-batch.ts'

const PLANS = readPlans({
  default: 'two',
  plans: [
    { id: 'two', name: 'Two', calls_per_month: 2 },
    { id: 'ten', name: 'Ten', calls_per_month: 10 },
  ],
})
const KEY: ActiveKey = { keyId: 'k', secretSha256: 'aa', userId: 'ann', plan: 'two', scopes: null }
const REQUESTED_CALL: RequestedCall = { method: 'GET', path: '/p', venue: 'kalshi', market: 'M', isBillable: true }

function meterOver(stored = 0) {
  const state = { elapsedMs: 0, nowMs: Date.parse('2026-11-21T13:00:00Z'), reads: 0, recorded: [] as Call[] }
  const readCalls = async () => {
    state.reads += 1
    return stored
  }
  const record = (call: Call) => void state.recorded.push(call)
  const clocks = { elapsedMs: () => state.elapsedMs, nowMs: () => state.nowMs }
  return { meter: new Meter({ plans: PLANS, readCalls, record, clocks }), state }
}

test('the calls of a user are read once, however many ask at once', async () => {
  const { meter, state } = meterOver()
  await Promise.all([meter.ready(KEY), meter.ready(KEY), meter.ready({ ...KEY, keyId: 'other' })])
  expect([state.reads, meter.ready(KEY)]).toEqual([1, undefined])
})

test('a read that fails is tried again', async () => {
  let reads = 0
  const readCalls = async () => {
    reads += 1
    if (reads === 1) throw new Error('away')
    return 0
  }
  const meter = new Meter({ plans: PLANS, readCalls, record: () => undefined })
  const error = await meter.ready(KEY)?.catch((each: unknown) => each)
  expect(String(error)).toContain('away')
  await meter.ready(KEY)
  expect(meter.admit(KEY, REQUESTED_CALL).refusal).toBeNull()
})

test.each([
  [200, true],
  [206, true],
  [304, true],
  [301, false],
  [400, false],
  [404, false],
  [500, false],
  [503, false],
])('an answer with %d counts: %p', async (status, counts) => {
  const { meter, state } = meterOver(1)
  await meter.ready(KEY)
  const call = meter.admit(KEY, REQUESTED_CALL)
  state.elapsedMs = 7
  meter.settle(call, status)
  expect(state.recorded).toMatchObject([{ status, counts, durationMs: 7 }])
  expect(call.allowance.callsLeft).toBe(counts ? 0 : 1)
})

test('a refused call and a free call are recorded, but not counted', async () => {
  const { meter, state } = meterOver(2)
  await meter.ready(KEY)
  const refused = meter.admit(KEY, REQUESTED_CALL)
  meter.settle(refused, 429)
  meter.settle(meter.admit(KEY, { ...REQUESTED_CALL, isBillable: false }), 200)
  expect(refused.refusal?.reason).toBe('quota_exceeded')
  expect(state.recorded.map(({ counts }) => counts)).toEqual([false, false])
  expect(meter.admit({ ...KEY, plan: 'ten' }, REQUESTED_CALL).refusal).toBeNull()
})

test('after a write, the meter has the stored sums, with the calls of other processes', async () => {
  const { meter, state } = meterOver()
  const ten = { ...KEY, plan: 'ten' }
  await meter.ready(ten)
  const call = meter.admit(ten, REQUESTED_CALL)
  meter.settle(call, 200)
  const batch = new UsageBatch(state.nowMs)
  batch.add(call)
  meter.written(batch, new Map([['ann', 6]]))
  expect(call.allowance.callsLeft).toBe(4)
})

test('idle users are dropped, users with running calls are not', async () => {
  const { meter, state } = meterOver()
  await meter.ready(KEY)
  const call = meter.admit(KEY, REQUESTED_CALL)
  state.elapsedMs = 3_600_000
  meter.written(new UsageBatch(state.nowMs), new Map())
  expect(meter.ready(KEY)).toBeUndefined()
  meter.settle(call, 500)
  state.elapsedMs = 7_200_000
  meter.written(new UsageBatch(state.nowMs), new Map())
  await meter.ready(KEY)
  expect(state.reads).toBe(2)
})

test('a call that turns out to be several takes as many, or is refused as a whole', async () => {
  const { meter, state } = meterOver(3)
  const ten = { ...KEY, plan: 'ten' }
  await meter.ready(ten)
  const call = meter.admit(ten, REQUESTED_CALL)
  expect([meter.charge(call, 5), call.allowance.callsLeft]).toEqual([null, 2])
  const second = meter.admit(ten, REQUESTED_CALL)
  expect(meter.charge(second, 3)?.reason).toBe('quota_exceeded')
  meter.settle(second, 429)
  meter.settle(call, 200)
  expect(call.allowance.callsLeft).toBe(2)
  const batch = new UsageBatch(state.nowMs)
  for (const each of state.recorded) batch.add(each)
  expect([batch.requests, batch.calls]).toEqual([2, 5])
})
