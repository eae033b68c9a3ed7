// Goal: a late read is requested twice and the first answer is taken; a store that is slow as a whole does not get many
// more requests than before.

import { describe, expect, test } from 'bun:test'
import { ManualClock } from '../../../test/support/cluster/manual-clock.ts'
import { TransientFailure } from '../../retry/with-retry.ts'
import { HedgedReads } from './hedged-reads.ts'

const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error) => error,
  )

/** What a server does with each request in turn: answers after so many ms, or fails. */
type Doing = { afterMs: number; error?: Error }

function setUp() {
  const clock = new ManualClock()
  const reads = new HedgedReads(clock)
  const signals: AbortSignal[] = []
  let doings: Doing[] = []
  let hasRoom = true
  const ask = async (signal: AbortSignal) => {
    const { afterMs, error } = doings.shift()!
    const index = signals.push(signal)
    await clock.sleep(afterMs)
    if (error) throw error
    return `answer ${index}`
  }
  return {
    clock,
    /** A read against a server that does that. */
    async read(...served: Doing[]) {
      doings = served
      signals.length = 0
      const again = (signal: AbortSignal) => (hasRoom ? ask(signal) : null)
      const startMs = clock.steadyMs()
      const run = reads.run(ask, again, new AbortController().signal)
      const outcome = await clock.until(run.catch((error) => `${error}`))
      return { outcome, tookMs: clock.steadyMs() - startMs, requests: signals.length, signals: [...signals] }
    },
    takeRoom() {
      hasRoom = false
    },
  }
}

/** So many reads of 10 ms, so that anything above is late. */
async function warm(reads: ReturnType<typeof setUp>, count = 100) {
  for (let i = 0; i < count; i++) await reads.read({ afterMs: 10 })
}

describe('HedgedReads', () => {
  test('sends a second request after the 95th percentile, and takes the first answer', async () => {
    const reads = setUp()
    await warm(reads)
    const { outcome, tookMs, requests, signals } = await reads.read({ afterMs: 5_000 }, { afterMs: 10 })
    expect({ outcome, tookMs, requests }).toEqual({ outcome: 'answer 2', tookMs: 20, requests: 2 })
    expect(signals[0]!.aborted).toBe(true)
  })

  test('takes the first request’s answer where that comes first', async () => {
    const reads = setUp()
    await warm(reads)
    const { outcome, tookMs } = await reads.read({ afterMs: 12 }, { afterMs: 5_000 })
    expect({ outcome, tookMs }).toEqual({ outcome: 'answer 1', tookMs: 12 })
  })

  test('is right where one of both fails, and fails where both do', async () => {
    const reads = setUp()
    await warm(reads)
    const busy = (afterMs: number) => ({ afterMs, error: new TransientFailure('busy') })
    expect((await reads.read({ afterMs: 100 }, busy(5))).outcome).toBe('answer 1')
    expect((await reads.read(busy(30), { afterMs: 40 })).outcome).toBe('answer 2')
    expect((await reads.read(busy(30), busy(40))).outcome).toContain('busy')
  })

  test('believes at once that an object is missing', async () => {
    const reads = setUp()
    await warm(reads)
    const missing = { afterMs: 30, error: new Error('the object is missing') }
    const { outcome, tookMs } = await reads.read(missing, { afterMs: 5_000 })
    expect(outcome).toContain('missing')
    expect(tookMs).toBe(30)
  })

  test('leaves a failure before the 95th percentile to the retries of the caller', async () => {
    const reads = setUp()
    await warm(reads)
    const { outcome, requests } = await reads.read({ afterMs: 1, error: new TransientFailure('busy') })
    expect(outcome).toContain('busy')
    expect(requests).toBe(1)
  })

  test('sends one request while it knows too little, and where there is no room', async () => {
    const reads = setUp()
    await warm(reads, 19)
    expect((await reads.read({ afterMs: 5_000 })).requests).toBe(1)
    await warm(reads)
    reads.takeRoom()
    expect((await reads.read({ afterMs: 5_000 })).requests).toBe(1)
  })

  test('requests at most one read in twenty twice, and at most five in a row', async () => {
    const reads = setUp()
    await warm(reads, 1_000)
    let slow = 0
    let requests = 0
    const inRow: number[] = []
    for (; slow < 1_000; slow++) {
      // Each is later than those before it.
      const read = await reads.read({ afterMs: 100 + slow }, { afterMs: 10_000 })
      requests += read.requests
      if (slow < 10) inRow.push(read.requests)
    }
    expect(inRow).toEqual([2, 2, 2, 2, 2, 1, 1, 1, 1, 1])
    expect(requests - slow).toBeLessThanOrEqual(5 + slow / 20)
    expect(requests - slow).toBeGreaterThan(slow / 25)
  })

  test('passes the end of the whole on to both requests', async () => {
    const clock = new ManualClock()
    const reads = new HedgedReads(clock)
    const over = new AbortController()
    const signals: AbortSignal[] = []
    const ask = (signal: AbortSignal) => {
      signals.push(signal)
      return new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    for (let i = 0; i < 40; i++)
      await clock.until(
        reads.run(
          () => clock.sleep(1),
          () => null,
          over.signal,
        ),
      )
    const run = rejection(reads.run(ask, ask, over.signal))
    clock.after(100, () => over.abort())
    await clock.until(run)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
  })
})
