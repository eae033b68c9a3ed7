// Tests the times of frames, and the time up to which no message is missing.

import { expect, test } from 'bun:test'
import { FakeTime } from '../../../test/support/venues/fake-time.ts'
import { FrameTimes } from './frame-times.ts'

test('FrameTimes takes the stamps of a replay, otherwise the time of this machine', () => {
  const time = new FakeTime(5_000)
  const replay = new FrameTimes(time.clock, true, () => 0)
  expect([replay.stamp('1000 1007\n{"a":1}\n'), replay.last.recvNs, replay.nowMs]).toEqual([
    '{"a":1}\n',
    1_007_000_000n,
    1_007,
  ])
  expect([replay.stamp('2000 -\nx'), replay.last.recvNs, replay.nowMs]).toEqual(['x', null, 2_000])
  // A reply has no time of receipt.
  expect([replay.stamp('{"id":1}'), replay.last.recvNs, replay.nowMs]).toEqual(['{"id":1}', null, 2_000])
  const machine = new FrameTimes(time.clock, false, () => 0)
  expect([machine.stamp('1000 1007\nx'), machine.last.recvNs]).toEqual(['1000 1007\nx', 5_000_000_000n])
})

test('FrameTimes is complete up to the last received venue time, once there is one', () => {
  const times = new FrameTimes(new FakeTime(5_000).clock, false, () => 0)
  const stateAfter = (venueMs: number, notBeforeMs = venueMs) => {
    times.stamp('x')
    times.beginFrame()
    times.data(venueMs, notBeforeMs)
    times.endFrame()
    return [times.completeUntilMs, times.isOurs]
  }
  expect([times.completeUntilMs, times.isOurs]).toEqual([5_000, true])
  // A message without a time proves nothing.
  expect(stateAfter(Number.NaN)).toEqual([5_000, true])
  expect(stateAfter(4_900)).toEqual([4_900, false])
  expect(stateAfter(4_800)).toEqual([4_900, false])
  expect(stateAfter(Number.NaN, 4_950)).toEqual([4_950, false])
})

test('if lines are dropped, FrameTimes goes back to the last flush, or to a gap that is not on disk', () => {
  const times = new FrameTimes(new FakeTime(5_000).clock, false, () => 0)
  const receive = (venueMs: number) => {
    times.beginFrame()
    times.data(venueMs, venueMs)
    times.endFrame()
  }
  receive(4_900)
  times.flushed(times.completeUntilMs)
  receive(4_950)
  times.dropUnwritten()
  expect(times.completeUntilMs).toBe(4_900)
  times.gap(4_000)
  times.dropUnwritten()
  expect(times.completeUntilMs).toBe(4_000)
})
