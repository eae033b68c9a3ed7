// Tests how often, when and after which failures an attempt is repeated, on a clock that the test controls.

import { describe, expect, test } from 'bun:test'
import { ManualClock } from '../../test/support/cluster/manual-clock.ts'
import { inTime, sleep } from './timers.ts'
import { backoff, type Retry, TransientFailure, withRetry } from './with-retry.ts'

const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error) => error,
  )

/** Runs attempts that fail with these errors in turn, then succeed. Returns the outcome, the start of each attempt in
 *  ms, and the number of timers left. */
async function run(errors: unknown[], retry: Omit<Retry, 'timers'>, clock = new ManualClock()) {
  const atMs: number[] = []
  const left = [...errors]
  const attempt = async () => {
    atMs.push(clock.steadyMs())
    if (left.length > 0) throw left.shift()
    return 'answer'
  }
  const outcome = await clock.until(withRetry(attempt, { ...retry, timers: clock }).catch((error) => error))
  return { outcome, atMs, timers: clock.timers }
}

const passing = new TransientFailure('busy')

describe('withRetry', () => {
  test('tries once if that succeeds', async () => {
    expect(await run([], { attempts: 3, waitMs: () => 100 })).toEqual({ outcome: 'answer', atMs: [0], timers: 0 })
  })

  test('tries again after a transient failure, and begins at once without a wait', async () => {
    expect(await run([passing, passing], { attempts: 3 })).toMatchObject({ outcome: 'answer', atMs: [0, 0, 0] })
  })

  test('rejects with the last failure after all attempts', async () => {
    const last = new TransientFailure('the last')
    const { outcome, atMs } = await run([passing, last], { attempts: 2, waitMs: (failures) => failures * 100 })
    expect(outcome).toBe(last)
    expect(atMs).toEqual([0, 100])
  })

  test('without a number of attempts, retries until it succeeds', async () => {
    expect((await run(Array(1_000).fill(passing), {})).outcome).toBe('answer')
  })

  test('does not try again after any other failure', async () => {
    const bug = new RangeError('for good')
    expect(await run([passing, bug], { attempts: 5 })).toMatchObject({ outcome: bug, atMs: [0, 0] })
  })

  test('lets the caller decide which failures pass', async () => {
    const isPassing = (error: unknown) => error instanceof RangeError
    expect((await run([new RangeError('a')], { isPassing })).outcome).toBe('answer')
    expect((await run([passing], { isPassing })).outcome).toBe(passing)
  })

  test('begins no wait that would outlast the time', async () => {
    const clock = new ManualClock()
    const leftMs = () => 250 - clock.steadyMs()
    const { outcome, atMs } = await run(Array(9).fill(passing), { waitMs: () => 100, leftMs }, clock)
    expect([outcome, atMs]).toEqual([passing, [0, 100, 200]])
  })

  test('ends in the middle of a wait when its signal aborts, and leaves no timer', async () => {
    const clock = new ManualClock()
    const controller = new AbortController()
    clock.after(150, () => controller.abort(new Error('stopped')))
    const retry = { waitMs: () => 100, signal: controller.signal }
    const { outcome, atMs, timers } = await run(Array(9).fill(passing), retry, clock)
    expect([`${outcome}`, atMs, timers]).toEqual(['Error: stopped', [0, 100], 0])
  })

  test('does not try again if its signal aborted during the attempt', async () => {
    const controller = new AbortController()
    const attempt = async () => {
      controller.abort()
      throw passing
    }
    expect(await rejection(withRetry(attempt, { signal: controller.signal }))).toBe(passing)
  })
})

describe('backoff', () => {
  test.each([
    [0, [50, 100, 200, 200]],
    [0.5, [75, 150, 300, 300]],
    [1, [100, 200, 400, 400]],
  ])('waits from half to all of a step, with the chance %d', (chance, expected) => {
    const waitMs = backoff({ firstMs: 100, maxMs: 400, random: () => chance })
    expect([1, 2, 3, 4].map((failures) => waitMs(failures))).toEqual(expected)
  })

  test('grows by another factor', () => {
    const waitMs = backoff({ firstMs: 100, factor: 4, random: () => 1 })
    expect([1, 2, 3].map((failures) => waitMs(failures))).toEqual([100, 400, 1_600])
  })

  test('waits as long as the other side requests, and never less than its step', () => {
    const waitMs = backoff({ firstMs: 100, random: () => 1 })
    expect(waitMs(1, new TransientFailure('busy', 7_000))).toBe(7_000)
    expect(waitMs(1, new TransientFailure('busy', 1))).toBe(100)
    expect(waitMs(1, new Error('busy'))).toBe(100)
  })
})

describe('inTime', () => {
  const late = () => new Error('too late')

  test('returns a result that came in time, and leaves no timer', async () => {
    const clock = new ManualClock()
    expect(await clock.until(inTime(async () => 'answer', 100, late, clock))).toBe('answer')
    expect(clock.timers).toBe(0)
  })

  test('rejects when the time is over, and aborts work that does not listen', async () => {
    const clock = new ManualClock()
    const { promise: never } = Promise.withResolvers<never>()
    let aborted: AbortSignal | undefined
    const work = (signal: AbortSignal) => {
      aborted = signal
      return never
    }
    expect(`${await clock.until(rejection(inTime(work, 100, late, clock)))}`).toBe('Error: too late')
    expect([clock.steadyMs(), aborted?.aborted]).toEqual([100, true])
  })

  test('starts the time again', async () => {
    const clock = new ManualClock()
    const work = async (_: AbortSignal, renew: () => void) => {
      for (let step = 0; step < 5; step++) {
        await sleep(80, clock)
        renew()
      }
      return clock.steadyMs()
    }
    expect(await clock.until(inTime(work, 100, late, clock))).toBe(400)
  })
})

test('a sleep whose signal has aborted already begins no timer', async () => {
  const clock = new ManualClock()
  expect(`${await rejection(sleep(100, clock, AbortSignal.abort(new Error('stopped'))))}`).toBe('Error: stopped')
  expect(clock.timers).toBe(0)
})
