// Tests the clock of this machine, and one timer for several deadlines.

import { expect, test } from 'bun:test'
import { FakeTime } from '../../../test/support/venues/fake-time.ts'
import { DeadlineTimer, MachineClock } from './clock.ts'

test('MachineClock counts within a tick, follows drift, and reports a jump of the wall clock', () => {
  let [wallMs, monoNs] = [1_000, 0n]
  const clock = new MachineClock({ wallMs: () => wallMs, monoNs: () => monoNs })
  monoNs += 250_000n
  expect(clock.wallNs()).toBe(1_000_250_000n)
  expect(clock.follow()).toBe(0)
  monoNs += 1_000_000_000n
  wallMs += 1_005
  expect(clock.follow()).toBeCloseTo(4.75, 5)
  monoNs += 1_000_000_000n
  wallMs -= 59_000
  expect(clock.follow()).toBeCloseTo(-60_000, 0)
  expect(clock.wallNs()).toBe(BigInt(wallMs) * 1_000_000n)
  expect(clock.monoNs()).toBe(2_000_250_000n)
})

test('MachineClock ignores a pair of readings if another process ran between them', () => {
  const BUSY_NS = 20_000_000n
  let monoNs = 0n
  let pauses = 1
  const wallMs = () => {
    const ms = 1_000 + Number(monoNs / 1_000_000n)
    if (pauses-- > 0) monoNs += BUSY_NS
    return ms
  }
  const clock = new MachineClock({ wallMs, monoNs: () => monoNs })
  expect(clock.wallNs() - monoNs).toBe(1_000_000_000n)
  pauses = 2
  expect(clock.follow()).toBe(0)
})

test('DeadlineTimer wakes at the earliest deadline, then at the next one that it is set to', async () => {
  const time = new FakeTime(0)
  const woken: number[] = []
  const deadlines = [30, 70]
  const timer = new DeadlineTimer(time, (nowMs) => {
    woken.push(nowMs)
    return deadlines.shift() ?? Number.POSITIVE_INFINITY
  })
  timer.wakeAt(50)
  timer.wakeAt(20)
  timer.wakeAt(40)
  expect(time.waiting).toBe(1)
  await time.advance(1_000)
  expect([woken, time.waiting]).toEqual([[20, 30, 70], 0])
  timer.wakeAt(2_000)
  timer.cancel()
  await time.advance(2_000)
  expect([woken.length, time.waiting]).toEqual([3, 0])
})
