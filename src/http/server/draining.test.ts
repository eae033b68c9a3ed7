// A server that is about to stop closes each connection after its answer.

import { expect, test } from 'bun:test'
import { Draining, lastAnswer } from './draining.ts'

const REQUEST = new Request('http://localhost/')

test('answers leave their connections open until the server drains', async () => {
  const draining = new Draining()
  const [now, later] = [draining.around(() => new Response('a')), draining.around(async () => new Response('a'))]
  const connections = async () =>
    Promise.all([now, later].map(async (fetch) => (await fetch(REQUEST)).headers.get('connection')))
  expect([draining.isDraining(), await connections()]).toEqual([false, [null, null]])
  const lines: unknown[] = []
  await draining.run(0, { info: (...line: unknown[]) => void lines.push(line) })
  expect([draining.isDraining(), await connections()]).toEqual([true, ['close', 'close']])
  expect(lines).toEqual([])
  await draining.run(1, { info: (...line: unknown[]) => void lines.push(line) })
  expect(lines).toEqual([[{ drain_ms: 1 }, 'draining: load balancers should send no more requests']])
})

test('a request in progress when the drain begins keeps its connection', async () => {
  const draining = new Draining()
  const { promise, resolve } = Promise.withResolvers<Response>()
  const answer = draining.around(() => promise)(REQUEST)
  await draining.run(0, { info: () => undefined })
  resolve(new Response('a'))
  expect((await answer).headers.get('connection')).toBeNull()
})

test('a connection that becomes a WebSocket stays open', async () => {
  const upgraded = await lastAnswer(new Response(null, { status: 101 }))
  expect(upgraded.headers.get('connection')).toBeNull()
})
