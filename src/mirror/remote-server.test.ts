// Tests the client of a mirrored server: it retries while the server is busy, and quotes refusals.

import { expect, test } from 'bun:test'
import type { HttpInit } from '../../storage/retry/http-client.ts'
import { ImpatientTimers } from '../../test/support/impatient-timers.ts'
import { RemoteServer } from './remote-server.ts'

const answer = (status: number, body: object | string = {}, headers: Record<string, string> = {}) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })

/** Returns a server that gives these answers in turn, and then repeats the last one. */
function server(answers: (() => Response)[], key: string | null = 'bb_1') {
  const requests: [string, HttpInit][] = []
  const timers = new ImpatientTimers()
  const fetch = async (url: string, init: HttpInit) => {
    requests.push([url, init])
    return answers[Math.min(requests.length, answers.length) - 1]!()
  }
  return { remote: new RemoteServer({ url: 'http://host/base', key, fetch, timers }), requests, timers }
}

test('a request goes to the address with the key, and follows no redirection', async () => {
  const { remote, requests } = server([() => answer(200, { a: 1 })])
  expect(await remote.json('/path?b=1')).toEqual({ a: 1 })
  await remote.get('/file', { range: 'bytes=0-' })
  expect(requests.map(([url, { headers, redirect }]) => [url, headers, redirect])).toEqual([
    ['http://host/base/path?b=1', { authorization: 'Bearer bb_1' }, 'error'],
    ['http://host/base/file', { authorization: 'Bearer bb_1', range: 'bytes=0-' }, 'error'],
  ])
  const open = server([() => answer(200)], null)
  await open.remote.get('/')
  expect(open.requests[0]?.[1].headers).toEqual({})
})

test('a busy server gets six requests, with the pause that it names between them', async () => {
  const busy = () => answer(503, {}, { 'retry-after': '3' })
  const limited = () => answer(429, { code: 'rate_limited' })
  const { remote, timers } = server([busy, limited, () => answer(200, { a: 1 })])
  expect(await remote.json('/')).toEqual({ a: 1 })
  expect(timers.waited).toEqual([3_000, 1_000])
  const always = server([busy])
  await expect(always.remote.get('/p')).rejects.toThrow('the server answered /p with 503')
  expect(always.requests.length).toBe(6)
})

test.each([
  [
    'a quota that is used up',
    () => answer(429, { code: 'quota_exceeded', detail: 'It is used up' }),
    ' 429: It is used up',
  ],
  ['a pause of more than a minute', () => answer(503, {}, { 'retry-after': '61' }), ' 503'],
  ['a failure', () => answer(500), ' 500'],
  ['a refusal', () => answer(404, { detail: 'There is no such day' }), ' 404: There is no such day'],
])('%s is not retried', async (_, refuse, words) => {
  const { remote, requests } = server([refuse])
  await expect(remote.get('/p')).rejects.toMatchObject({
    name: 'MirrorError',
    message: `the server answered /p with${words}`,
  })
  expect(requests.length).toBe(1)
})

test('a server that cannot be reached, and one that is not backbook', async () => {
  const away = server([
    () => {
      throw new Error('refused')
    },
  ])
  await expect(away.remote.get('/')).rejects.toThrow(/^the server does not answer: /)
  await expect(server([() => answer(200, '<html>')]).remote.json('/a')).rejects.toThrow(
    'the answer to /a is not JSON: is this a backbook server?',
  )
})
