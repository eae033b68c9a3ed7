// Tests how the HTTP client handles answers of a real server on this machine: which requests it retries, after how
// long, and how much of an answer it reads.

import { afterEach, describe, expect, test } from 'bun:test'
import { ImpatientTimers } from '../../test/support/impatient-timers.ts'
import { fetchOnce, fetchWithRetry, HttpFailure, type HttpRequest, readBody, readText } from './http-client.ts'
import { backoff } from './with-retry.ts'

const TIMEOUT_MS = 10_000
const BYTES_MAX = 1_000

type Answer = (request: Request) => Response | Promise<Response>
const servers: Bun.Server<undefined>[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true)
})

/** Starts a server that gives these answers in turn, then repeats the last one. Returns the requests it received, and
 *  a client on the timers of the test. */
function setUp(...answers: Answer[]) {
  const requests: Request[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      requests.push(request)
      return answers[Math.min(requests.length, answers.length) - 1]!(request)
    },
  })
  servers.push(server)
  const timers = new ImpatientTimers(TIMEOUT_MS)
  const read = (response: Response) => readText(response, BYTES_MAX)
  const request: HttpRequest<string> = { url: server.url.href, timeoutMs: TIMEOUT_MS, timers, read }
  const get = (changed: Partial<HttpRequest<string>> = {}, attempts = 4) =>
    fetchWithRetry({ ...request, ...changed }, { attempts, waitMs: backoff({ firstMs: 1_000, random: () => 1 }) })
  return { requests, timers, request, get }
}

const ok = () => new Response('yes')
const status = (code: number, headers: Record<string, string> = {}) => {
  return () => new Response('no', { status: code, headers })
}
/** Sends this many bytes, then calls `then`, and sends nothing more. */
const hanging = (bytes: number, then: () => void) => () =>
  new Response(
    new ReadableStream({
      async pull(controller) {
        if (bytes > 0) controller.enqueue(new Uint8Array(bytes))
        bytes = 0
        then()
        await new Promise(() => undefined)
      },
    }),
  )
const rejection = async (promise: Promise<unknown>): Promise<HttpFailure> => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(HttpFailure)
  return error as HttpFailure
}

test('an answer is read, and leaves no timer', async () => {
  const { requests, timers, get } = setUp((request) => new Response(request.headers.get('x-given')))
  expect(await get({ headers: { 'x-given': 'yes' } })).toBe('yes')
  expect([requests.length, timers.waited, timers.limits]).toEqual([1, [], 0])
})

test('method and body are sent', async () => {
  const { get } = setUp(async (request) => new Response(`${request.method} ${await request.text()}`))
  expect(await get({ method: 'PUT', body: new TextEncoder().encode('bytes') })).toBe('PUT bytes')
})

describe('retried', () => {
  test.each([408, 425, 429, 500, 502, 503, 504])('a status of %d', async (code) => {
    const { requests, timers, get } = setUp(status(code), status(code), ok)
    expect(await get()).toBe('yes')
    expect([requests.length, timers.waited]).toEqual([3, [1_000, 2_000]])
  })

  test('an answer that is too long', async () => {
    const { get } = setUp(() => new Response('x'.repeat(BYTES_MAX + 1)), ok)
    expect(await get()).toBe('yes')
  })

  test('an answer that `read` does not accept', async () => {
    const { get } = setUp(() => new Response('maybe'), ok)
    const read = async (response: Response) => {
      const text = await readText(response, BYTES_MAX)
      if (text !== 'yes') throw new HttpFailure(response.status, 'it is undecided')
      return text
    }
    expect(await get({ read })).toBe('yes')
  })

  test.each([0, 10])('an answer that stops after %d bytes, once its time is over', async (bytes) => {
    const { timers, get } = setUp(
      hanging(bytes, () => timers.pass(TIMEOUT_MS)),
      ok,
    )
    expect(await get()).toBe('yes')
    expect([timers.waited, timers.limits]).toEqual([[1_000], 0])
  })

  test('a server that cannot be reached', async () => {
    const { request, get } = setUp(ok)
    let attempts = 0
    const fetch: typeof request.fetch = (url, init) =>
      globalThis.fetch(attempts++ === 0 ? 'http://127.0.0.1:1/' : url, init)
    expect(await get({ fetch })).toBe('yes')
    expect(attempts).toBe(2)
  })
})

describe('not retried', () => {
  test.each([304, 400, 401, 403, 404, 410, 416, 422])('a status of %d', async (code) => {
    const { requests, get } = setUp(() => new Response(code === 304 ? null : 'no', { status: code }))
    const { isRefusal, status, message } = await rejection(get())
    expect([isRefusal, status, message, requests.length]).toEqual([true, code, `the answer was ${code}`, 1])
  })

  test('an error of `read`', async () => {
    const { requests, get } = setUp(ok)
    const bug = new RangeError('a bug')
    expect(await get({ read: () => Promise.reject(bug) }).catch((error) => error)).toBe(bug)
    expect(requests).toHaveLength(1)
  })

  test('anything after the caller aborted', async () => {
    const controller = new AbortController()
    const { requests, timers, get } = setUp(() => {
      controller.abort(new Error('stopped'))
      return new Promise<Response>(() => undefined)
    })
    await rejection(get({ signal: controller.signal }))
    expect([requests.length, timers.waited, timers.limits]).toEqual([1, [], 0])
  })
})

test('the last failure is reported after all attempts', async () => {
  const { requests, get } = setUp(status(500), status(503))
  const { isRefusal, status: last, message } = await rejection(get())
  expect([isRefusal, last, message, requests.length]).toEqual([false, 503, 'the answer was 503', 4])
})

test('an answer that never comes is described', async () => {
  const { timers, request } = setUp(() => {
    timers.pass(TIMEOUT_MS)
    return new Promise<Response>(() => undefined)
  })
  const { status, message } = await rejection(fetchOnce(request))
  expect([status, message]).toEqual([null, 'no whole answer came within 10 s'])
  expect((await rejection(fetchOnce({ ...request, lateReason: 'it is late' }))).message).toBe('it is late')
})

describe('Retry-After', () => {
  test.each<[Record<string, string>, number]>([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '0' }, 1_000],
    [{ 'retry-after': 'soon' }, 1_000],
    [{ 'retry-after': 'Mon, 23 Nov 2026 09:00:05 GMT', date: 'Mon, 23 Nov 2026 09:00:00 GMT' }, 5_000],
    [{ 'retry-after': 'Mon, 23 Nov 2026 08:00:00 GMT', date: 'Mon, 23 Nov 2026 09:00:00 GMT' }, 1_000],
  ])('waits for %j, but never less than the step of the backoff', async (headers, ms) => {
    const { timers, get } = setUp(status(503, headers), ok)
    expect(await get()).toBe('yes')
    expect(timers.waited).toEqual([ms])
  })
})

describe('a body', () => {
  test('is read up to its limit, and all of it', async () => {
    const { request } = setUp(() => new Response('x'.repeat(BYTES_MAX)))
    const bytes = await fetchOnce({ ...request, read: (response) => readBody(response, BYTES_MAX) })
    expect([bytes.length, bytes.buffer.byteLength]).toEqual([BYTES_MAX, BYTES_MAX])
    const empty = setUp(() => new Response(null, { status: 204 }))
    expect(await empty.get()).toBe('')
  })

  test('that never ends is cancelled', async () => {
    const cancelled = Promise.withResolvers<void>()
    const { request } = setUp(() => {
      const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(64 << 10))
      return new Response(new ReadableStream({ pull, cancel: () => cancelled.resolve() }))
    })
    expect((await rejection(fetchOnce(request))).message).toBe(`the answer is longer than ${BYTES_MAX} bytes`)
    await cancelled.promise
  })

  test('may take longer than the timeout while bytes arrive', async () => {
    let sent = 0
    const pull = async (controller: ReadableStreamDefaultController) => {
      if (sent === 5) return controller.close()
      await timers.started(1 + sent)
      timers.pass(TIMEOUT_MS - 1)
      controller.enqueue(new TextEncoder().encode(`${sent++}`))
    }
    const { timers, request } = setUp(() => new Response(new ReadableStream({ pull })))
    const read = async (response: Response, renew: () => void) =>
      new TextDecoder().decode(await readBody(response, BYTES_MAX, renew))
    expect(await fetchOnce({ ...request, read })).toBe('01234')
  })

  test('of a refusal is part of the failure, up to 64 KB', async () => {
    const { request } = setUp(() => new Response('x'.repeat(1 << 20), { status: 404 }))
    expect((await rejection(fetchOnce(request))).text).toBe('x'.repeat(64 << 10))
  })
})

test('the caller decides which other answers are read', async () => {
  const { request } = setUp(status(416))
  expect(await fetchOnce({ ...request, isAnswer: ({ status }) => status === 416 })).toBe('no')
})

test('a redirection is followed, or not', async () => {
  const moved = ({ url }: Request) =>
    url.endsWith('/there') ? new Response('yes') : new Response(null, { status: 302, headers: { location: '/there' } })
  const { request } = setUp(moved)
  expect(await fetchOnce(request)).toBe('yes')
  expect((await rejection(fetchOnce({ ...request, redirect: 'manual' }))).status).toBe(302)
  expect((await rejection(fetchOnce({ ...request, redirect: 'error' }))).status).toBeNull()
})
