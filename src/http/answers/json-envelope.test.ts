// Tests the bytes of envelopes around encoded data, in one piece and in chunks.

import { expect, test } from 'bun:test'
import { bytesOf, chunksOf, textOf } from '../../../test/support/bodies.ts'
import { jsonEnvelope } from './json-envelope.ts'

test('one piece keeps its bytes: nothing is parsed or serialized again', async () => {
  const body = jsonEnvelope({ a: null, b: 1 }, { bytes: bytesOf('[ 0.4800, 1e0 ]') })
  expect(await textOf(body)).toBe('{"a":null,"b":1,"data":[ 0.4800, 1e0 ]}')
})

test('chunks arrive in order between head and brace', async () => {
  const body = jsonEnvelope({ a: 1 }, { chunks: chunksOf(['[1', ',2', ']']) })
  expect(await textOf(body)).toBe('{"a":1,"data":[1,2]}')
})

test('sends nothing before the array has begun', async () => {
  const failure = new Error('broken')
  const body = jsonEnvelope({ a: 1 }, { chunks: chunksOf([failure]) })
  if (!('chunks' in body)) throw new Error('no chunks')
  expect(await body.chunks.next().catch((error: unknown) => error)).toBe(failure)
})

test.each([1, 2, 3])('a client that leaves after %d pieces ends the chunks', async (taken) => {
  let isEnded = false
  async function* endless() {
    try {
      while (true) yield bytesOf('1')
    } finally {
      isEnded = true
    }
  }
  const body = jsonEnvelope({ a: 1 }, { chunks: endless() })
  if (!('chunks' in body)) throw new Error('no chunks')
  for (let piece = 0; piece < taken; piece++) await body.chunks.next()
  await body.chunks.return?.()
  expect(isEnded).toBe(true)
})
