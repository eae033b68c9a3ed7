// Tests what a user may do: the exact quota of a month, the rate, and the change at the start of a month.

import { expect, test } from 'bun:test'
import { Allowance } from './allowance.ts'
import { readPlans } from './plans.ts'

const plan = (limits: { calls_per_month: number | null; calls_per_second?: number; burst?: number }) =>
  readPlans({ default: 'p', plans: [{ id: 'p', name: 'P', ...limits }] }).default

const NOW = Date.parse('2026-11-30T23:59:50Z')
const DECEMBER = Date.parse('2026-12-01T00:00:00Z')

test('a call is reserved when it comes, released when it does not count, and counted when it does', () => {
  const three = plan({ calls_per_month: 3 })
  const allowance = new Allowance(three, 0, 0, NOW)
  const ask = () => allowance.admit(three, true, 0, NOW)?.reason ?? 'admitted'
  expect([ask(), ask(), ask(), ask()]).toEqual(['admitted', 'admitted', 'admitted', 'quota_exceeded'])
  allowance.settle(false, NOW)
  expect(allowance.callsLeft).toBe(1)
  expect([ask(), ask()]).toEqual(['admitted', 'quota_exceeded'])
  for (let call = 0; call < 3; call++) allowance.settle(true, NOW)
  expect([allowance.callsLeft, ask()]).toEqual([0, 'quota_exceeded'])
})

test('calls that are not billable pass without a quota left', () => {
  const none = plan({ calls_per_month: 0 })
  const allowance = new Allowance(none, 0, 0, NOW)
  expect(allowance.admit(none, false, 0, NOW)).toBeNull()
  expect(allowance.admit(none, true, 0, NOW)).toEqual({ reason: 'quota_exceeded', retryAfterSeconds: 10 })
})

test('calls that were stored count, with those that other processes add', () => {
  const ten = plan({ calls_per_month: 10 })
  const allowance = new Allowance(ten, 4, 0, NOW)
  expect(allowance.callsLeft).toBe(6)
  allowance.admit(ten, true, 0, NOW)
  allowance.settle(true, NOW)
  expect(allowance.isAtRest).toBe(false)
  allowance.written('2026-11', 1, 8)
  expect([allowance.callsLeft, allowance.isAtRest]).toEqual([2, true])
})

test('a new month begins with all of its calls; late calls of the old month do not count in it', () => {
  const two = plan({ calls_per_month: 2 })
  const allowance = new Allowance(two, 1, 0, NOW)
  expect(allowance.admit(two, true, 0, NOW)).toBeNull()
  expect(allowance.admit(two, true, 0, NOW)).toMatchObject({ reason: 'quota_exceeded' })
  expect(allowance.admit(two, true, 0, DECEMBER)).toBeNull()
  allowance.written('2026-11', 1, 2)
  allowance.settle(true, DECEMBER)
  allowance.settle(true, DECEMBER)
  expect(allowance.callsLeft).toBe(0)
})

test('after a clock is set back over the end of a month, the next write corrects the count', () => {
  const ten = plan({ calls_per_month: 10 })
  const allowance = new Allowance(ten, 0, 0, NOW)
  const call = (nowMs: number) => {
    if (allowance.admit(ten, true, 0, nowMs) === null) allowance.settle(true, nowMs)
  }
  for (let each = 0; each < 8; each++) call(NOW)
  call(DECEMBER)
  call(NOW)
  allowance.written('2026-11', 9, 9)
  expect([allowance.callsLeft, allowance.isAtRest]).toEqual([1, true])
})

test('a rate refusal has the seconds to wait, and uses no call of the month', () => {
  const slow = plan({ calls_per_month: 10, calls_per_second: 0.25, burst: 2 })
  const allowance = new Allowance(slow, 0, 0, NOW)
  const ask = (elapsedMs: number) => allowance.admit(slow, true, elapsedMs, NOW)
  expect([ask(0), ask(0), ask(0)]).toEqual([null, null, { reason: 'rate_limited', retryAfterSeconds: 4 }])
  expect(allowance.callsLeft).toBe(8)
  expect([allowance.burstLeft(0), allowance.burstIsFullInSeconds(0)]).toEqual([0, 8])
  expect(ask(4_000)).toBeNull()
})

test('further calls of a request are admitted all or none, up to the last call of the month', () => {
  const five = plan({ calls_per_month: 5 })
  const allowance = new Allowance(five, 0, 0, NOW)
  expect(allowance.admit(five, true, 0, NOW)).toBeNull()
  expect(allowance.admitMore(5, 0, NOW)).toEqual({ reason: 'quota_exceeded', retryAfterSeconds: 10 })
  expect([allowance.callsLeft, allowance.admitMore(4, 0, NOW), allowance.callsLeft]).toEqual([4, null, 0])
})

test('a larger plan holds from the next call on', () => {
  const [small, large] = [plan({ calls_per_month: 1 }), plan({ calls_per_month: 5, calls_per_second: 1 })]
  const allowance = new Allowance(small, 1, 0, NOW)
  expect(allowance.admit(small, true, 0, NOW)).toMatchObject({ reason: 'quota_exceeded' })
  expect(allowance.admit(large, true, 0, NOW)).toBeNull()
  expect([allowance.callsLeft, allowance.burstLeft(0)]).toEqual([3, 0])
})
