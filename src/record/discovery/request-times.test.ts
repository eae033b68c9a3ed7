// Tests when discovery sends its requests.

import { expect, test } from 'bun:test'
import { FakeTime } from '../../../test/support/venues/fake-time.ts'
import { Hints, pollLoop } from './request-times.ts'

test('a loop runs, pauses for as long as the run returns, and can be hurried', async () => {
  const time = new FakeTime(0)
  let runs = 0
  const loop = pollLoop(time.timers, async () => {
    runs++
    return 1_000
  })
  await loop.first
  expect(runs).toBe(1)
  await time.advance(999)
  expect(runs).toBe(1)
  await time.advance(1)
  expect(runs).toBe(2)
  loop.hurry()
  await time.advance(0)
  expect(runs).toBe(3)
  await loop.stop()
  await time.advance(10_000)
  expect([runs, time.waiting]).toEqual([3, 0])
})

test('a loop that is hurried while it runs runs again at once', async () => {
  const time = new FakeTime(0)
  const ends: (() => void)[] = []
  const loop = pollLoop(time.timers, () => new Promise((resolve) => ends.push(() => resolve(1_000))))
  loop.hurry()
  ends[0]!()
  await time.advance(0)
  expect(ends).toHaveLength(2)
  const stopped = loop.stop()
  ends[1]!()
  await stopped
  expect(ends).toHaveLength(2)
})

test('a market is requested at once, then with longer pauses until its last attempt', () => {
  const hints = new Hints({ attempts: 3, fromMs: 1_000, toMs: 3_000 })
  hints.add('A', false, 0)
  hints.add('A', false, 500)
  const times: number[] = []
  while (hints.nextMs !== null) {
    const nowMs = hints.nextMs
    times.push(nowMs)
    expect([hints.due(false, nowMs - 1), hints.due(false, nowMs), hints.due(true, nowMs)]).toEqual([[], ['A'], []])
    hints.asked('A', false, nowMs)
  }
  expect(times).toEqual([0, 1_000, 3_000, 6_000])
})

test('a market that was answered is no longer due; one that has ended since is due again', () => {
  const hints = new Hints({ attempts: 3, fromMs: 1_000, toMs: 3_000 })
  hints.add('A', false, 0)
  hints.add('A', true, 10)
  expect([hints.due(false, 10), hints.due(true, 10)]).toEqual([[], ['A']])
  hints.asked('A', true, 10)
  expect(hints.nextMs).toBeNull()
})
