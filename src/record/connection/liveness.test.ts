// Tests whether a socket still works, by the times of its frames.

import { describe, expect, test } from 'bun:test'
import { Liveness } from './liveness.ts'

describe('Liveness', () => {
  const limits = { pingMs: 10_000, pongMs: 5_000, silenceMs: 30_000, broadBooks: 100, rotateMs: 600_000 }

  test('does not blame the venue for a time in which this process did not run', () => {
    const liveness = new Liveness(limits, () => 0, 0)
    const looked = (fromMs: number, toMs: number) =>
      Array.from({ length: (toMs - fromMs) / 1_000 }, (_, i) => liveness.check(fromMs + (i + 1) * 1_000, 1))
    expect(looked(0, 10_000).at(-1)).toBe('ping')
    // The process stops for half a minute: the answer may wait in the socket.
    expect(liveness.check(40_000, 1)).toBeNull()
    expect(looked(40_000, 42_000)).toEqual([null, 'dead'])
    liveness.frame()
    // No ping is sent during the stop, so no answer is late.
    expect(liveness.check(90_000, 1)).toBe('ping')
    expect(looked(90_000, 95_000)).toEqual([null, null, null, null, 'dead'])
  })

  test('does not treat silence as a failure with few books or few messages', () => {
    const verdict = (books: number, frames: number) => {
      const liveness = new Liveness(limits, () => 0, 0)
      const verdicts = new Set<string | null>()
      for (let second = 1; second <= frames + 35; second++) {
        liveness.frame()
        if (second <= frames) liveness.data(second * 1_000)
        verdicts.add(liveness.check(second * 1_000, books))
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
        if (liveness.check(ms, 2) === 'rotate') return ms
      }
    }
    expect(rotatesAt(0)).toBeWithin(600_000, 602_001)
    expect(rotatesAt(1)).toBeWithin(720_000, 722_001)
  })
})
