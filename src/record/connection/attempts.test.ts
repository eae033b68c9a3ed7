// The pauses between attempts to connect.

import { describe, expect, test } from 'bun:test'
import { Backoff, ConnectPacer } from './attempts.ts'

describe('Backoff', () => {
  const limits = { backoffFromMs: 1_000, backoffToMs: 60_000, reconnectJitterMs: 750 }

  test('doubles after failures up to its limit, spread over the upper half', () => {
    const spread = (random: number) => {
      const backoff = new Backoff(limits, () => random)
      return Array.from({ length: 8 }, () => backoff.afterFailure())
    }
    expect(spread(0)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
    expect(spread(0.5)).toEqual([750, 1_500, 3_000, 6_000, 12_000, 24_000, 45_000, 45_000])
  })

  test('resets after a socket that lasted, and not after one that received nothing', () => {
    const backoff = new Backoff(limits, () => 0)
    for (let i = 0; i < 4; i++) backoff.afterFailure()
    expect(backoff.afterClose(200, false)).toBe(8_000)
    expect(backoff.afterClose(200, true)).toBe(0)
    expect(backoff.afterFailure()).toBe(16_000)
    expect(backoff.afterClose(30_000, true)).toBe(0)
    expect(backoff.afterFailure()).toBe(500)
  })

  test('waits at least as long as the venue requests', () => {
    expect(new Backoff(limits, () => 0.999).afterFailure(7_000)).toBeWithin(7_000, 7_750)
  })
})

test('ConnectPacer spreads attempts, and delays all of them during a pause that the venue requested', () => {
  const pacer = new ConnectPacer(100)
  expect([0, 0, 0, 1_000].map((ms) => pacer.take(ms))).toEqual([0, 100, 200, 0])
  pacer.pauseUntil(5_000)
  expect([2_000, 2_000].map((ms) => pacer.take(ms))).toEqual([3_000, 3_100])
})
