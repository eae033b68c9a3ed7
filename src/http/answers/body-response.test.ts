// Tests bodies as responses: headers, failures, disconnects, backpressure, and what is cached.

import { expect, test } from 'bun:test'
import { zstdDecompressSync } from 'node:zlib'
import { bytesOf, chunksOf, VALIDATORS } from '../../../test/support/bodies.ts'
import type { StreamListener } from '../../../workers/requests.ts'
import { listen } from '../server/listen.ts'
import { copyPieces, sentBodyOf } from '../server/sent-body.ts'
import { bodyResponse, type CacheEntryWriter } from './body-response.ts'

const PLAIN = { encoding: 'identity', onLateFailure: () => undefined, validators: VALIDATORS } as const

function keeping() {
  const cacheCalls: string[] = []
  const keep: CacheEntryWriter = {
    add: (bytes) => void cacheCalls.push(new TextDecoder().decode(bytes)),
    sent: () => undefined,
    done: (encoding) => void cacheCalls.push(`done ${encoding}`),
    abort: () => void cacheCalls.push('aborted'),
  }
  return { keep, cacheCalls }
}

test('a response states the type of its body', async () => {
  const response = await bodyResponse({ chunks: chunksOf(['[', ']']) }, PLAIN)
  const { headers } = response
  expect([headers.get('content-type'), headers.get('vary')]).toEqual([
    'application/json',
    'accept-encoding, authorization',
  ])
  expect([headers.get('content-encoding'), await response.text()]).toEqual([null, '[]'])
})

test('a compressed response states its encoding', async () => {
  const text = 'x'.repeat(10_000)
  for (const body of [{ bytes: bytesOf(text) }, { chunks: chunksOf([text]) }]) {
    const response = await bodyResponse(body, { ...PLAIN, encoding: 'zstd' })
    expect(response.headers.get('content-encoding')).toBe('zstd')
    expect(zstdDecompressSync(await response.arrayBuffer()).toString()).toBe(text)
  }
})

test('sends and stores existing pieces as they are, and tracks them as one body', async () => {
  const { keep, cacheCalls } = keeping()
  const request = new Request('http://localhost/')
  const pieces = ['{"data":', '[]', '}'].map(bytesOf)
  const response = await bodyResponse({ pieces }, { ...PLAIN, keep, request })
  expect(sentBodyOf(request)).toMatchObject({ bytes: 11, end: 'whole' })
  expect(await response.text()).toBe('{"data":[]}')
  expect(cacheCalls).toEqual(['{"data":', '[]', '}', 'done identity'])
  const packed = await bodyResponse(
    { pieces: [bytesOf('x'.repeat(5_000)), bytesOf('y')] },
    { ...PLAIN, encoding: 'zstd' },
  )
  expect(zstdDecompressSync(await packed.arrayBuffer()).toString()).toBe(`${'x'.repeat(5_000)}y`)
})

test('a failure in the beginning is thrown, so that it becomes an error response', async () => {
  const failure = new Error('broken')
  for (const encoding of ['identity', 'gzip'] as const) {
    const body = { chunks: chunksOf([failure]) }
    expect(await bodyResponse(body, { ...PLAIN, encoding }).catch((error: unknown) => error)).toBe(failure)
  }
})

test('a later failure fails the body and is reported, and nothing is stored', async () => {
  const failure = new Error('broken')
  const failures: unknown[] = []
  const { keep, cacheCalls } = keeping()
  const options = { ...PLAIN, keep, onLateFailure: (error: unknown) => void failures.push(error) }
  const response = await bodyResponse({ chunks: chunksOf(['[1', failure]) }, options)
  expect(await response.text().catch((error: unknown) => error)).toBeInstanceOf(Error)
  expect([failures, cacheCalls]).toEqual([[failure], ['[1', 'aborted']])
})

test('a client that leaves ends the chunks, and is no failure', async () => {
  const failures: unknown[] = []
  const { keep, cacheCalls } = keeping()
  let isEnded = false
  async function* slow() {
    try {
      while (true) {
        yield bytesOf('1')
        await Bun.sleep(5)
      }
    } finally {
      isEnded = true
    }
  }
  const options = { ...PLAIN, keep, onLateFailure: (error: unknown) => void failures.push(error) }
  const response = await bodyResponse({ chunks: slow() }, options)
  const reader = response.body!.getReader()
  await reader.read()
  void reader.read().catch(() => undefined)
  await reader.cancel()
  await Bun.sleep(10)
  expect([isEnded, failures, cacheCalls.at(-1)]).toEqual([true, [], 'aborted'])
})

test('no more is pulled than the reader takes', async () => {
  let pulled = 0
  async function* counted() {
    while (true) {
      pulled += 1
      yield bytesOf('1')
    }
  }
  const response = await bodyResponse({ chunks: counted() }, PLAIN)
  await Bun.sleep(0)
  expect(pulled).toBeLessThanOrEqual(2)
  await response.body?.cancel()
})

test('a body that is sent whole is stored whole', async () => {
  const { keep, cacheCalls } = keeping()
  await (await bodyResponse({ chunks: chunksOf(['[1', ']']) }, { ...PLAIN, keep })).text()
  await (await bodyResponse({ bytes: bytesOf('[]') }, { ...PLAIN, keep })).text()
  expect(cacheCalls).toEqual(['[1', ']', 'done identity', '[]', 'done identity'])
})

test('a body that the client does not read can be cut: it fails without a read, and its chunks end', async () => {
  const failures: unknown[] = []
  const { keep, cacheCalls } = keeping()
  let listener: StreamListener | undefined
  const follow = (given: StreamListener) => {
    listener = given
  }
  const chunks = chunksOf(['[1', ',2', ']'])
  const options = { ...PLAIN, keep, onLateFailure: (error: unknown) => void failures.push(error) }
  const reader = (await bodyResponse({ chunks, follow }, options)).body!.getReader()
  await reader.read()
  const error = new Error('no room')
  listener?.cut(error)
  expect(await reader.read().catch((failure: unknown) => failure)).toBe(error)
  expect([failures, cacheCalls]).toEqual([[error], ['[1', 'aborted']])
  expect(await chunks.next()).toEqual({ done: true, value: undefined })
})

test('the answer to a slow client is sent to its end, but not stored', async () => {
  const { keep, cacheCalls } = keeping()
  const follow = (listener: StreamListener) => listener.slow()
  const response = await bodyResponse({ chunks: chunksOf(['[1', ']']), follow }, { ...PLAIN, keep })
  expect([await response.text(), cacheCalls[0]]).toEqual(['[1]', 'aborted'])
})

const LARGE = 2 ** 18
const largePieces = () => Array.from({ length: 24 }, (_, i) => new Uint8Array(LARGE).fill(i))
async function* inTurn(pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces
}
const isFreed = ({ byteLength }: Uint8Array) => byteLength === 0

test('frees sent pieces but not the one in flight, and reports sent pieces that the cache stores', async () => {
  const request = new Request('http://localhost/')
  copyPieces(request)
  const pieces = largePieces()
  const response = await bodyResponse({ chunks: inTurn(pieces) }, { ...PLAIN, request })
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  for (let i = 0; i < 3; i++) expect((await reader.read()).value?.every((byte) => byte === i)).toBe(true)
  expect(pieces.map(isFreed).slice(0, 4)).toEqual([true, true, false, false])
  await reader.cancel()
  const sent: number[] = []
  const keep: CacheEntryWriter = { ...keeping().keep, sent: (bytes) => void sent.push(bytes[0]!) }
  const storedPieces = largePieces()
  await (await bodyResponse({ chunks: inTurn(storedPieces) }, { ...PLAIN, request, keep })).arrayBuffer()
  expect([sent, storedPieces.some(isFreed)]).toEqual([[...storedPieces.keys()], false])
})

test('a reader of the pieces without a socket gets them all', async () => {
  const pieces = largePieces()
  const options = { ...PLAIN, request: new Request('http://localhost/') }
  const bytes = await (await bodyResponse({ chunks: inTurn(pieces) }, options)).bytes()
  expect([bytes.length, pieces.some(isFreed)]).toEqual([pieces.length * LARGE, false])
})

test('a client that reads late gets every byte of pieces that were freed', async () => {
  const pieces = largePieces()
  const answer = (request: Request) => bodyResponse({ chunks: inTurn(pieces) }, { ...PLAIN, request })
  const server = listen(answer, { host: '127.0.0.1', port: 0 })
  const { body } = await fetch(server.url)
  let length = 0
  let wrongCount = 0
  for await (const bytes of body!) {
    for (const byte of bytes) if (byte !== Math.floor(length++ / LARGE)) wrongCount++
    await new Promise((resolve) => setImmediate(resolve))
  }
  await server.stop(0)
  expect([length, wrongCount, pieces.every(isFreed)]).toEqual([pieces.length * LARGE, 0, true])
})
