// Goal: transient failures are retried, permanent ones are not, and no caller waits longer than its limit, whatever the
// store and the other requests do.

import { describe, expect, test } from 'bun:test'
import { ManualClock } from '../../../test/support/cluster/manual-clock.ts'
import { Random } from '../../../workers/synthetic/random.ts'
import { TransientFailure } from '../../retry/with-retry.ts'
import { withTries } from './tries.ts'
import { Turns } from './turns.ts'

const TIMEOUT_MS = 1_000
const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error) => error,
  )
const never = () => new Promise<never>(() => {})

function limitsOf(clock: ManualClock, random = () => 0.5) {
  return { timeoutMs: TIMEOUT_MS, turns: new Turns(2), clock, random }
}

describe('withTries', () => {
  test('tries once if the first try succeeds', async () => {
    const clock = new ManualClock()
    expect(await clock.until(withTries(async () => 'answer', limitsOf(clock)))).toBe('answer')
    expect(clock.steadyMs()).toBe(0)
    expect(clock.timers).toBe(0)
  })

  test('waits 75 to 150 ms before the second try and 300 to 600 ms before the third', async () => {
    for (const [random, waitedMs] of [
      [0, [0, 75, 375]],
      [0.5, [0, 113, 563]],
      [0.999999, [0, 150, 750]],
    ] as const) {
      const clock = new ManualClock()
      const atMs: number[] = []
      const attempt = async () => {
        atMs.push(Math.round(clock.steadyMs()))
        throw new TransientFailure('it answers 503')
      }
      const error = await clock.until(
        rejection(
          withTries(
            attempt,
            limitsOf(clock, () => random),
          ),
        ),
      )
      expect(`${error}`).toContain('it answers 503')
      expect(atMs).toEqual([...waitedMs])
    }
  })

  test('waits as long as the store requests', async () => {
    const clock = new ManualClock()
    const answers = [new TransientFailure('busy', 2_000), 'answer']
    const attempt = async () => {
      const answer = answers.shift()
      if (answer instanceof Error) throw answer
      return answer
    }
    expect(await clock.until(withTries(attempt, limitsOf(clock)))).toBe('answer')
    expect(clock.steadyMs()).toBe(2_000)
  })

  test('fails at once if the store requests a longer wait than there is time for', async () => {
    const clock = new ManualClock()
    const attempt = async () => {
      throw new TransientFailure('busy', 3_000)
    }
    expect(`${await clock.until(rejection(withTries(attempt, limitsOf(clock))))}`).toContain('busy')
    expect(clock.steadyMs()).toBe(0)
  })

  test('does not repeat requests after permanent failures', async () => {
    const clock = new ManualClock()
    let tries = 0
    const attempt = async () => {
      tries++
      throw new RangeError('for good')
    }
    expect(await clock.until(rejection(withTries(attempt, limitsOf(clock))))).toBeInstanceOf(RangeError)
    expect(tries).toBe(1)
  })

  test('aborts each try when its time is over, and ends even if the try ignores that', async () => {
    const clock = new ManualClock()
    const signals: AbortSignal[] = []
    const attempt = (signal: AbortSignal) => {
      signals.push(signal)
      return never()
    }
    const error = await clock.until(rejection(withTries(attempt, limitsOf(clock))))
    expect(`${error}`).toMatch(/no whole answer within 0\.\d+ s$/)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true])
    expect(clock.steadyMs()).toBe(3 * TIMEOUT_MS)
  })

  test('counts the wait for a turn, and releases the turn while it waits for the next try', async () => {
    const clock = new ManualClock()
    const limits = limitsOf(clock)
    const hanging = [1, 2].map(() => rejection(withTries(never, limits)))
    expect(await clock.until(withTries(async () => clock.steadyMs(), limits))).toBe(TIMEOUT_MS)
    await clock.until(Promise.all(hanging))
  })

  test('fails in time if no turn comes', async () => {
    const clock = new ManualClock()
    const limits = limitsOf(clock)
    limits.turns.takeNow()
    limits.turns.takeNow()
    const error = await clock.until(rejection(withTries(async () => 'answer', limits)))
    expect(`${error}`).toContain('no turn within 3 s')
    expect(clock.steadyMs()).toBe(3 * TIMEOUT_MS)
  })

  test.each([1, 2, 3, 4, 5])('ends in time whatever the other requests do, seed %d', async (seed) => {
    const chance = new Random(seed, 'tries')
    const random = () => chance.fraction()
    const clock = new ManualClock()
    const limits = limitsOf(clock, random)
    let under = 0
    const attempt = async (signal: AbortSignal) => {
      expect(++under).toBeLessThanOrEqual(2)
      const left = () => under--
      signal.addEventListener('abort', left, { once: true })
      await clock.sleep(random() * 2 * TIMEOUT_MS)
      if (signal.aborted) return 'too late'
      signal.removeEventListener('abort', left)
      left()
      if (random() < 0.5) throw new TransientFailure('busy', random() < 0.5 ? 0 : random() * 4 * TIMEOUT_MS)
      return 'answer'
    }
    const calls = Array.from({ length: 20 }, async () => {
      await clock.sleep(random() * 5 * TIMEOUT_MS)
      const startMs = clock.steadyMs()
      const outcome = await withTries(attempt, limits).catch((error) => error)
      expect(clock.steadyMs() - startMs).toBeLessThanOrEqual(3 * TIMEOUT_MS + 0.001)
      expect(outcome === 'answer' || outcome instanceof TransientFailure).toBe(true)
      return outcome
    })
    const outcomes = await clock.until(Promise.all(calls))
    expect(outcomes).toContain('answer')
    // All turns are free again.
    expect([limits.turns.takeNow(), limits.turns.takeNow()]).not.toContain(null)
    expect(limits.turns.takeNow()).toBeNull()
  })
})
