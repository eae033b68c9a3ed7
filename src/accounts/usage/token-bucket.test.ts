// Tests the token bucket, on a clock that is set by hand.

import { expect, test } from 'bun:test'
import { TokenBucket } from './token-bucket.ts'

test('the burst goes at once, and then tokens come back at the rate', () => {
  const bucket = new TokenBucket({ perSecond: 2, burst: 3 }, 0)
  const takes = (nowMs: number, count: number) => Array.from({ length: count }, () => bucket.take(nowMs))
  expect(takes(0, 4)).toEqual([true, true, true, false])
  expect(bucket.secondsUntil(1, 0)).toBe(0.5)
  expect(bucket.secondsUntil(3, 0)).toBe(1.5)
  expect(takes(499, 1)).toEqual([false])
  expect(takes(500, 2)).toEqual([true, false])
  expect(takes(1_500, 3)).toEqual([true, true, false])
})

test('no more than the burst is ever saved', () => {
  const bucket = new TokenBucket({ perSecond: 100, burst: 5 }, 0)
  expect(bucket.left(1e9)).toBe(5)
  expect(bucket.secondsUntil(5, 1e9)).toBe(0)
})

test('over any time no more is taken than burst and rate allow', () => {
  const bucket = new TokenBucket({ perSecond: 10, burst: 20 }, 0)
  let taken = 0
  for (let nowMs = 0; nowMs < 60_000; nowMs += 7) if (bucket.take(nowMs)) taken += 1
  expect(taken).toBeGreaterThanOrEqual(619)
  expect(taken).toBeLessThanOrEqual(620)
})

test('a request takes further tokens if there are enough', () => {
  const bucket = new TokenBucket({ perSecond: 2, burst: 10 }, 0)
  expect([bucket.take(0), bucket.takeMore(6, 0), bucket.left(0)]).toEqual([true, true, 3])
  expect([bucket.take(0), bucket.takeMore(3, 0), bucket.left(0)]).toEqual([true, false, 2])
  expect(bucket.secondsUntilMore(3, 0)).toBe(1)
  expect([bucket.take(1_000), bucket.takeMore(3, 1_000), bucket.left(1_000)]).toEqual([true, true, 0])
})

test('a request larger than the burst needs a full bucket, and blocks others until its excess is refilled', () => {
  const bucket = new TokenBucket({ perSecond: 2, burst: 10 }, 0)
  expect([bucket.take(0), bucket.takeMore(19, 0), bucket.left(0)]).toEqual([true, true, 0])
  expect([bucket.take(5_000), bucket.take(5_500)]).toEqual([false, true])
  expect(bucket.takeMore(19, 9_500)).toBe(false)
  expect(bucket.secondsUntilMore(19, 9_500)).toBe(1)
  expect([bucket.take(10_500), bucket.takeMore(19, 10_500)]).toEqual([true, true])
})
