// Tests the rate, the attempts and the waits of requests to one host, with a clock and answers that the test controls.

import { describe, expect, test } from 'bun:test'
import { FakeTime } from '../../../test/support/venues/fake-time.ts'
import { isObject } from '../../../workers/venues/described-message.ts'
import type { RestConfig } from '../config/venue-config.ts'
import { type RestError, RestHost, type RestRequest } from './rest-host.ts'

const NOW = 1_786_000_000_000
const CONFIG: RestConfig = {
  url: 'http://venue.test',
  requestsPerSecond: 10,
  timeoutMs: 10_000,
  attempts: 6,
  bodyBytesMax: 1_000,
}

type Answer = Response | Error | 'never'

/** Returns a host that gives these answers in order, and then repeats the last one. */
function madeHost(answers: (() => Answer)[], config: Partial<RestConfig> = {}) {
  const time = new FakeTime(NOW)
  const sentRequests: { atMs: number; url: string }[] = []
  const stats = { requests: 0, limited: 0, garbage: 0, failed: 0 }
  const host = new RestHost(
    { ...CONFIG, ...config },
    {
      ...time,
      clock: time.clock,
      timers: time.timers,
      random: () => 0,
      stats,
      fetch(url, { signal }) {
        const answer = answers[Math.min(sentRequests.length, answers.length - 1)]!()
        sentRequests.push({ atMs: time.nowMs - NOW, url })
        if (answer instanceof Error) return Promise.reject(answer)
        if (answer !== 'never') return Promise.resolve(answer)
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
    },
  )
  const get = (request: Partial<RestRequest<unknown>> = {}) => {
    const outcome: { body?: string; error?: RestError } = {}
    const read = (json: unknown) => (isObject(json) ? json : undefined)
    host.get({ path: '/markets?a=1', read, ...request }).then(
      ({ body }) => Object.assign(outcome, { body }),
      (error: RestError) => Object.assign(outcome, { error }),
    )
    return outcome
  }
  return { time, sentRequests, stats, get, host }
}

const ok = () => new Response('{}')
const status =
  (code: number, retryAfter = '', date = '') =>
  () =>
    new Response('no', { status: code, headers: { 'retry-after': retryAfter, date } })
const timesOf = (sentRequests: { atMs: number }[]) => sentRequests.map(({ atMs }) => Math.round(atMs))

test('requests start at the configured rate, urgent ones first', async () => {
  const { time, sentRequests, get } = madeHost([ok])
  for (const path of ['/a', '/b', '/c']) get({ path })
  get({ path: '/urgent', isUrgent: true })
  await time.advance(1_000)
  expect(timesOf(sentRequests)).toEqual([0, 100, 200, 300])
  expect(sentRequests.map(({ url }) => url.replace(CONFIG.url, ''))).toEqual(['/urgent', '/a', '/b', '/c'])
})

test('a host that was quiet gets no burst', async () => {
  const { time, sentRequests, get } = madeHost([ok])
  get()
  await time.advance(5_000)
  for (let i = 0; i < 3; i++) get()
  await time.advance(1_000)
  expect(timesOf(sentRequests)).toEqual([0, 5_000, 5_100, 5_200])
})

describe('a 429', () => {
  test('with seconds delays all requests for that time', async () => {
    const { time, sentRequests, stats, get } = madeHost([status(429, '7'), ok])
    const first = get()
    await time.advance(500)
    const second = get()
    await time.advance(10_000)
    expect([first.body, second.body]).toEqual(['{}', '{}'])
    expect(timesOf(sentRequests)).toEqual([0, 7_000, 7_100])
    expect(stats).toEqual({ requests: 3, limited: 1, garbage: 0, failed: 0 })
  })

  test('with a date delays all requests until that date', async () => {
    const { time, sentRequests, get } = madeHost([
      status(429, new Date(NOW + 4_000).toUTCString(), new Date(NOW).toUTCString()),
      ok,
    ])
    get()
    await time.advance(10_000)
    expect(timesOf(sentRequests)).toEqual([0, 4_000])
  })

  test('without a time is retried after ever longer pauses', async () => {
    const { time, sentRequests, get } = madeHost([status(429)])
    const { error } = await ended(get(), time, 60_000)
    expect([error?.kind, error?.status]).toEqual(['failed', 429])
    expect(timesOf(sentRequests)).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500])
  })
})

describe('a retry follows', () => {
  test.each([
    ['an answer of the wrong form', () => new Response('<html>')],
    ['an answer of 503', status(503)],
    ['a connection that fails', () => new Error('refused')],
    ['an answer that is too long', () => new Response(`{"a":"${'x'.repeat(2_000)}"}`)],
  ])('%s', async (_, answer) => {
    const { time, sentRequests, get } = madeHost([answer, answer, ok])
    expect((await ended(get(), time, 60_000)).body).toBe('{}')
    expect(timesOf(sentRequests)).toEqual([0, 500, 1_500])
  })

  test('an answer that never comes, after its time', async () => {
    const { time, sentRequests, get } = madeHost([() => 'never', ok])
    expect((await ended(get(), time, 60_000)).body).toBe('{}')
    expect(timesOf(sentRequests)).toEqual([0, 10_500])
  })

  test('six times, then fails with an error that names the address without its query', async () => {
    const { time, stats, get } = madeHost([() => new Response('[')])
    const { error } = await ended(get(), time, 60_000)
    expect(error?.message).toBe('GET http://venue.test/markets failed 6 times: the response has an unexpected form')
    expect(stats).toEqual({ requests: 6, limited: 0, garbage: 6, failed: 1 })
  })
})

test('a refused request is not retried', async () => {
  const { time, sentRequests, get } = madeHost([status(422)])
  const { error } = await ended(get(), time, 60_000)
  expect([error?.kind, error?.status, sentRequests.length]).toEqual(['refused', 422, 1])
})

test.each([0, 50, 200, 700])('a caller that cancels after %i ms gets an error, and leaves no timer', async (ms) => {
  const { time, get } = madeHost([() => 'never'])
  get({ path: '/before' })
  const controller = new AbortController()
  const outcome = get({ signal: controller.signal })
  await time.advance(ms)
  controller.abort()
  const waiting = time.waiting
  expect((await ended(outcome, time, 0)).error?.kind).toBe('stopped')
  expect(waiting).toBeLessThanOrEqual(2)
  await time.advance(120_000)
  expect(time.waiting).toBe(0)
})

async function ended<Outcome>(outcome: Outcome, time: FakeTime, ms: number): Promise<Outcome> {
  await time.advance(ms)
  return outcome
}
