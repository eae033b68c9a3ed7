// The machines that a connection is made of, each by itself.

import { describe, expect, test } from 'bun:test'
import { Backoff, ConnectPacer } from '../../../../src/record/connection/attempts.ts'
import { SnapshotDeadlines } from '../../../../src/record/connection/carried-books.ts'
import { MachineClock } from '../../../../src/record/connection/clock.ts'
import { FrameClock } from '../../../../src/record/connection/frame-clock.ts'
import { Liveness } from '../../../../src/record/connection/liveness.ts'
import { isReplay, withoutSecrets } from '../../../../src/record/connection/web-socket.ts'
import { FakeTime } from '../../../support/venues/fake-time.ts'

describe('Backoff', () => {
  const limits = { firstMs: 1_000, maxMs: 60_000, cleanMs: 750, healthyMs: 30_000 }

  test('doubles after failures up to its limit, spread over the upper half', () => {
    const spread = (random: number) => {
      const backoff = new Backoff(limits, () => random)
      return Array.from({ length: 8 }, () => backoff.afterFailure())
    }
    expect(spread(0)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
    expect(spread(0.5)).toEqual([750, 1_500, 3_000, 6_000, 12_000, 24_000, 45_000, 45_000])
  })

  test('begins anew after a socket that lasted, and not after one that gave nothing', () => {
    const backoff = new Backoff(limits, () => 0)
    for (let i = 0; i < 4; i++) backoff.afterFailure()
    expect(backoff.afterClose(200, false)).toBe(8_000)
    expect(backoff.afterClose(200, true)).toBe(0)
    expect(backoff.afterFailure()).toBe(16_000)
    expect(backoff.afterClose(30_000, true)).toBe(0)
    expect(backoff.afterFailure()).toBe(500)
  })

  test('waits at least as long as the venue asks', () => {
    expect(new Backoff(limits, () => 0.999).afterFailure(7_000)).toBeWithin(7_000, 7_750)
  })
})

test('ConnectPacer spreads attempts, and holds all of them while the venue asks for a pause', () => {
  const pacer = new ConnectPacer(100)
  expect([0, 0, 0, 1_000].map((ms) => pacer.take(ms))).toEqual([0, 100, 200, 0])
  pacer.pauseUntil(5_000)
  expect([2_000, 2_000].map((ms) => pacer.take(ms))).toEqual([3_000, 3_100])
})

describe('Liveness', () => {
  const limits = { pingMs: 10_000, pongMs: 5_000, silenceMs: 30_000, broadBooks: 100, rotateMs: 600_000 }

  test('does not blame the venue for a time in which this process did not run', () => {
    const liveness = new Liveness(limits, () => 0, 0)
    const looked = (fromMs: number, toMs: number) =>
      Array.from({ length: (toMs - fromMs) / 1_000 }, (_, i) => liveness.look(fromMs + (i + 1) * 1_000, 1))
    expect(looked(0, 10_000).at(-1)).toBe('ping')
    // It stops for half a minute: the answer may wait in the socket.
    expect(liveness.look(40_000, 1)).toBeNull()
    expect(looked(40_000, 42_000)).toEqual([null, 'dead'])
    liveness.frame()
    // Nothing is asked while it stops, so nothing is late.
    expect(liveness.look(90_000, 1)).toBe('ping')
    expect(looked(90_000, 95_000)).toEqual([null, null, null, null, 'dead'])
  })

  test('takes silence for an accident where few books are carried, or little was said', () => {
    const verdict = (books: number, frames: number) => {
      const liveness = new Liveness(limits, () => 0, 0)
      const verdicts = new Set<string | null>()
      for (let second = 1; second <= frames + 35; second++) {
        liveness.frame()
        if (second <= frames) liveness.data(second * 1_000)
        verdicts.add(liveness.look(second * 1_000, books))
      }
      return verdicts.has('silent')
    }
    expect([verdict(100, 40), verdict(99, 40), verdict(100, 20)]).toEqual([true, false, false])
  })

  test('replaces a narrow socket after its time, which is spread over a fifth', () => {
    const rotatesAt = (random: number) => {
      const liveness = new Liveness(limits, () => random, 0)
      for (let ms = 0; ; ms += 1_000) {
        liveness.frame()
        if (liveness.look(ms, 2) === 'rotate') return ms
      }
    }
    expect(rotatesAt(0)).toBeWithin(600_000, 602_001)
    expect(rotatesAt(1)).toBeWithin(720_000, 722_001)
  })
})

test('SnapshotDeadlines tells each book when its time is over, and again later', () => {
  const deadlines = new SnapshotDeadlines()
  for (const [book, dueMs] of [
    ['A', 10],
    ['B', 20],
    ['C', 20],
  ] as const)
    deadlines.expect(book, dueMs)
  deadlines.met('B')
  const overdue = (ms: number) => deadlines.overdue(ms, 100)
  expect([overdue(9), overdue(10), overdue(20), overdue(21), overdue(110), overdue(119), overdue(120)]).toEqual([
    [],
    ['A'],
    ['C'],
    [],
    ['A'],
    [],
    ['C'],
  ])
})

test('MachineClock counts within a tick, follows drift, and tells a jump of the wall clock', () => {
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

test('MachineClock counts a pair of readings that others ran between for nothing', () => {
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

test('FrameClock takes the stamps of a replay, and time of this machine elsewhere', () => {
  const time = new FakeTime(5_000)
  const replay = new FrameClock(time.clock, true)
  expect([replay.stamp('1000 1007\n{"a":1}\n'), replay.last.recvNs, replay.nowMs]).toEqual([
    '{"a":1}\n',
    1_007_000_000n,
    1_007,
  ])
  expect([replay.stamp('2000 -\nx'), replay.last.recvNs, replay.nowMs]).toEqual(['x', null, 2_000])
  // A reply has no stamp.
  expect([replay.stamp('{"id":1}'), replay.last.recvNs, replay.nowMs]).toEqual(['{"id":1}', null, 2_000])
  const machine = new FrameClock(time.clock, false)
  expect([machine.stamp('1000 1007\nx'), machine.last.recvNs]).toEqual(['1000 1007\nx', 5_000_000_000n])
})

test('an address of a replay is known by its path, and loses its key', () => {
  const url = 'wss://host.example/api/v1/replay/polymarket/ws/market?from=1&key=bb_secret'
  expect([isReplay(url), isReplay('wss://host.example/ws/market')]).toEqual([true, false])
  expect(withoutSecrets(url)).toBe('wss://host.example/api/v1/replay/polymarket/ws/market')
  expect(withoutSecrets('wss://user:password@host.example/ws')).toBe('wss://host.example/ws')
})
