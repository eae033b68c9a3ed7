// Tests the client of the server behind the tools: it reads only the rows that are shown, and quotes refusals.

import { expect, test } from 'bun:test'
import { HttpFailure } from '../../storage/retry/http-client.ts'
import { MirrorError } from '../mirror/remote-server.ts'
import { ServerClient } from './server-client.ts'

function made(answer: () => Response | Promise<Response>) {
  const requests: string[] = []
  const client = new ServerClient({
    get: async (path) => {
      requests.push(path)
      return answer()
    },
  })
  return { client, requests }
}

/** Returns a body that sends these texts in pieces, and then ends or fails. */
function pieces(texts: readonly string[], onCancel: () => void = () => undefined, failure?: Error): ReadableStream {
  const left = [...texts]
  return new ReadableStream({
    pull(controller) {
      const text = left.shift()
      if (text !== undefined) controller.enqueue(new TextEncoder().encode(text))
      else if (failure === undefined) controller.close()
      else controller.error(failure)
    },
    cancel: onCancel,
  })
}

test('a request has only the parameters that were given', async () => {
  const { client, requests } = made(() => Response.json({ a: 1 }))
  expect(await client.json<{ a: number }>('search', { q: 'a b', venue: undefined, limit: 5 })).toEqual({ a: 1 })
  expect(requests).toEqual(['/api/v1/search?q=a+b&limit=5'])
})

test('returns rows as lines, wherever the pieces end, with the values of the headers', async () => {
  const headers = { 'x-data-count': '7', 'x-has-more': 'true', 'x-next-cursor': 'abc' }
  const { client, requests } = made(() => new Response(pieces(['na', 'me\nü', ',1\n2\n']), { headers }))
  const expected = { lines: ['name', 'ü,1', '2'], total: 7, hasMore: true, nextCursor: 'abc' }
  expect(await client.rows('trades', { limit: 9 }, 9)).toEqual(expected)
  expect(requests).toEqual(['/api/v1/trades?limit=9&format=csv'])
  const plain = made(() => new Response(pieces(['name\n'])))
  expect(await plain.client.rows('a', {}, 1)).toEqual({
    lines: ['name'],
    total: null,
    hasMore: false,
    nextCursor: null,
  })
})

test('no more rows are read than are shown, and the rest is cancelled', async () => {
  let cancelled = 0
  const { client } = made(() => new Response(pieces(['n\n1\n', '2\n3\n', '4\n'], () => cancelled++)))
  expect(await client.rows('a', {}, 2)).toMatchObject({ lines: ['n', '1', '2'], hasMore: true })
  expect(cancelled).toBe(1)
  const exact = made(() => new Response(pieces(['n\n1\n2\n'])))
  expect(await exact.client.rows('a', {}, 2)).toMatchObject({ lines: ['n', '1', '2'], hasMore: false })
})

test('an answer that is cut off is no answer', async () => {
  const cut = "the server's answer was cut off: try again"
  await expect(made(() => new Response(pieces(['n\n1']))).client.rows('a', {}, 9)).rejects.toThrow(new MirrorError(cut))
  const lost = made(() => new Response(pieces(['n\n'], undefined, new Error('lost'))))
  await expect(lost.client.rows('a', {}, 9)).rejects.toThrow(cut)
  await expect(made(() => new Response('{"a":')).client.json('a', {})).rejects.toThrow(cut)
})

test.each([
  ['Refusal', 'a: It is gone', new HttpFailure(404, 'x', { text: '{"code":"a","detail":"It is gone"}' })],
  ['Refusal', 'the server answered 404', new HttpFailure(404, 'x', { text: 'plain' })],
  ['MirrorError', 'does not answer', new HttpFailure(null, 'x')],
  ['MirrorError', 'does not answer', undefined],
])('a failure becomes a %s: %s', async (name, message, cause) => {
  const { client } = made(() => Promise.reject(new MirrorError('does not answer', { cause })))
  const refused = client.json('a', {})
  await expect(refused).rejects.toMatchObject({ name })
  await expect(refused).rejects.toThrow(message)
})
