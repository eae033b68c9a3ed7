// Envelopes around encoded data: the bytes, failures, leaving, backpressure.

import { expect, test } from 'bun:test'
import { jsonEnvelope } from '../../../src/http/json-envelope.ts'
import { DataError } from '../../../storage/failures.ts'

const ignore = () => undefined
const bytes = (text: string) => new TextEncoder().encode(text)

async function* chunksOf(parts: readonly (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part
    yield bytes(part)
  }
}

test('one piece keeps its bytes: nothing is parsed or written anew', async () => {
  const response = await jsonEnvelope({ a: null, b: 1 }, { bytes: bytes('[ 0.4800, 1e0 ]') }, ignore)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.text()).toBe('{"a":null,"b":1,"data":[ 0.4800, 1e0 ]}')
})

test('chunks arrive in order between head and brace', async () => {
  const response = await jsonEnvelope({ a: 1 }, { chunks: chunksOf(['[1', ',2', ']']) }, ignore)
  expect(await response.text()).toBe('{"a":1,"data":[1,2]}')
})

test('a failure in the first chunk is thrown, so that it becomes an error response', async () => {
  const failure = new DataError('block_corrupt', 'Block 0 is damaged')
  const error = await jsonEnvelope({ a: 1 }, { chunks: chunksOf([failure]) }, ignore).catch((each: unknown) => each)
  expect(error).toBe(failure)
})

test('a later failure fails the body, and is told', async () => {
  const failure = new Error('broken')
  const told: unknown[] = []
  const tell = (error: unknown) => void told.push(error)
  const response = await jsonEnvelope({ a: 1 }, { chunks: chunksOf(['[1', failure]) }, tell)
  const error = await response.text().catch((each: unknown) => each)
  expect(error).toBeInstanceOf(Error)
  expect(told).toEqual([failure])
})

test('a client that leaves ends the iterator', async () => {
  let isEnded = false
  async function* endless() {
    try {
      while (true) yield bytes('1')
    } finally {
      isEnded = true
    }
  }
  const response = await jsonEnvelope({ a: 1 }, { chunks: endless() }, ignore)
  const reader = response.body!.getReader()
  await reader.read()
  await reader.cancel()
  expect(isEnded).toBe(true)
})

test('no more is pulled than the reader takes', async () => {
  let pulled = 0
  async function* counted() {
    while (true) {
      pulled += 1
      yield bytes('1')
    }
  }
  const response = await jsonEnvelope({ a: 1 }, { chunks: counted() }, ignore)
  await Bun.sleep(0)
  expect(pulled).toBeLessThanOrEqual(2)
  await response.body?.cancel()
})
