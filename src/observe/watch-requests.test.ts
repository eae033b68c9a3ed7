// Every request is counted with its status, and the observer gets its exchange after the last byte.

import { expect, test } from 'bun:test'
import { followBody, type SentBody } from '../http/server/sent-body.ts'
import type { Exchange } from './exchange.ts'
import { RequestStats } from './stats/request-stats.ts'
import { RequestWatch } from './watch-requests.ts'

const KEY = { keyId: 'key_1', secretSha256: 'aa', userId: 'ann', plan: 'free', scopes: null }

function made({ isObserved }: { isObserved: boolean }) {
  const stats = new RequestStats(
    () => [{ path: '/a/:id' }],
    () => false,
  )
  const ended: Exchange[] = []
  const observer = isObserved ? (each: Exchange) => void ended.push(each) : undefined
  const watch = new RequestWatch(stats, { observer, addressOf: () => '127.0.0.1' })
  const counts = () => Array.from(stats.all(), (each) => [each.method, each.route, ...each.statusCounts()])
  return { watch, ended, counts }
}
const request = () => new Request('http://localhost/a/5?b=1', { headers: { 'user-agent': 'curl' } })
const json = () => Response.json({ a: 1 }, { headers: { 'x-request-id': 'id' } })

test.each([false, true])(
  'a request is counted by its status, whether there is an observer or not',
  async (isObserved) => {
    const { watch, counts } = made({ isObserved })
    await watch.around(() => new Response('', { status: 404 }))(request())
    await watch.around(async () => new Response('x'))(request())
    const failed = watch.around(() => Promise.reject(new Error('a bug')))(request())
    await expect(failed as Promise<Response>).rejects.toThrow('a bug')
    const statusCounts = [200, 404, 500].map((status) => ({ status, requests: 1 }))
    expect(counts()).toEqual([['GET', '/a/{id}', ...statusCounts]])
  },
)

test('an exchange has all values that are known when the request has ended', async () => {
  const { watch, ended } = made({ isObserved: true })
  const given = request()
  const response = await watch.around((observedRequest) => {
    watch.keyAccepted!(observedRequest, KEY)
    return json()
  })(given)
  expect([await response.text(), response.headers.get('content-type')]).toEqual([
    '{"a":1}',
    'application/json;charset=utf-8',
  ])
  expect(ended).toMatchObject([
    {
      ...{ route: '/a/{id}', method: 'GET', path: '/a/5', address: '127.0.0.1', userAgent: 'curl', key: KEY },
      ...{ requestId: 'id', status: 200, bytes: 7, end: 'whole' },
    },
  ])
  expect(made({ isObserved: false }).watch.keyAccepted).toBeUndefined()
})

test('a streamed body ends the exchange with its last byte, a failure with none', async () => {
  const { watch, ended } = made({ isObserved: true })
  const bodies: SentBody[] = []
  await watch.around((observedRequest) => {
    bodies.push(followBody(observedRequest))
    return new Response('streamed')
  })(request())
  expect(ended).toEqual([])
  bodies[0]!.bytes = 99
  bodies[0]!.done('left')
  expect(ended).toMatchObject([{ bytes: 99, end: 'left', status: 200 }])
  const failed = watch.around(() => Promise.reject(new Error('a bug')))(request())
  await expect(failed as Promise<Response>).rejects.toThrow('a bug')
  expect(ended[1]).toMatchObject({ status: 500, end: 'failed' })
})

test.each([
  [new Response(null, { status: 204 }), 0],
  [new Response('text', { headers: { 'content-type': 'text/plain' } }), 4],
  [new Response('data: a\n\n', { headers: { 'content-type': 'text/event-stream' } }), null],
  [new Response('bytes', { headers: { 'content-type': 'application/zstd' } }), null],
])('bytes of a body that is not followed, %#', async (response, bytes) => {
  const { watch, ended } = made({ isObserved: true })
  await watch.around(() => response)(request())
  expect(ended[0]?.bytes).toBe(bytes)
})
