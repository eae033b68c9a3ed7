// Tests the pauses between attempts to connect.

import { describe, expect, test } from 'bun:test'
import { FakeTime } from '../../../test/support/venues/fake-time.ts'
import { VenueStats } from '../status/recorder-stats.ts'
import { Attempts, ConnectPacer } from './attempts.ts'

describe('Attempts', () => {
  const limits = { backoffFromMs: 1_000, backoffToMs: 60_000, reconnectJitterMs: 750 }

  /** Returns attempts; `ended` returns the pause after a socket that was open for `openMs`. */
  function attemptsWith(random: number) {
    const { clock, timers } = new FakeTime(0)
    const events = { warn: () => undefined, handshakeRefused: () => undefined }
    const shared = { clock, timers, random: () => random, pacer: new ConnectPacer(100), stats: new VenueStats() }
    const attempts = new Attempts(limits, { ...shared, events })
    const end = { code: 1006, reason: '', status: null, retryAfter: null, loss: null, wasOpen: true }
    const ended = (openMs: number, hadData: boolean) =>
      attempts.afterEnd({ connectionId: 'k-1', liveness: { openedMs: -openMs, hadData } }, end)
    return { attempts, ended }
  }

  test('doubles after failures up to its limit, spread over the upper half', () => {
    const spread = (random: number) => {
      const { attempts } = attemptsWith(random)
      return Array.from({ length: 8 }, () => attempts.afterFailure())
    }
    expect(spread(0)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
    expect(spread(0.5)).toEqual([750, 1_500, 3_000, 6_000, 12_000, 24_000, 45_000, 45_000])
  })

  test('resets after a socket that lasted, and not after one that received nothing', () => {
    const { attempts, ended } = attemptsWith(0)
    for (let i = 0; i < 4; i++) attempts.afterFailure()
    expect(ended(200, false)).toBe(8_000)
    expect(ended(200, true)).toBe(0)
    expect(attempts.afterFailure()).toBe(16_000)
    expect(ended(30_000, true)).toBe(0)
    expect(attempts.afterFailure()).toBe(500)
  })

  test('waits at least as long as the venue requests', () => {
    const { attempts } = attemptsWith(0.999)
    expect(attempts.afterFailure({ status: 429, retryAfter: '7' })).toBe(7_000)
    expect(attempts.afterFailure({ status: 503, retryAfter: '7' })).toBeWithin(1_000, 2_000)
  })
})

test('ConnectPacer spreads attempts, and delays all of them during a pause that the venue requested', () => {
  const pacer = new ConnectPacer(100)
  expect([0, 0, 0, 1_000].map((ms) => pacer.take(ms))).toEqual([0, 100, 200, 0])
  pacer.pauseUntil(5_000)
  expect([2_000, 2_000].map((ms) => pacer.take(ms))).toEqual([3_000, 3_100])
})
