// Tests which encoding is chosen, and that compressed bodies decompress to the same bytes.

import { expect, test } from 'bun:test'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { bytesIn, bytesOf, chunksOf } from '../../../test/support/bodies.ts'
import { acceptedEncoding, type Body, encoded } from './content-encoding.ts'

test.each([
  [null, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate', 'gzip'],
  ['zstd;q=0.5, gzip', 'gzip'],
  ['zstd;q=0, gzip;q=0', 'identity'],
  ['br', 'identity'],
  ['*', 'zstd'],
  ['identity', 'identity'],
  ['identity;q=0, *;q=0', 'identity'],
])('Accept-Encoding %p is answered with %s', (accepted, encoding) => {
  const headers = accepted === null ? {} : { 'accept-encoding': accepted }
  expect(acceptedEncoding(new Request('http://localhost/', { headers }))).toBe(encoding as never)
})

const TEXT = Array.from({ length: 60_000 }, (_, index) => `{"n":${index * 7_919}}`).join()
const DECODE = { gzip: gunzipSync, zstd: zstdDecompressSync }

test.each(['gzip', 'zstd'] as const)('%s comes back as it was, in one piece and in chunks', async (wanted) => {
  const bodies: Body[] = [{ bytes: bytesOf(TEXT) }, { chunks: chunksOf(TEXT.match(/.{1,100000}/g)!) }]
  for (const plain of bodies) {
    const { body, encoding } = await encoded(plain, wanted)
    const bytes = await bytesIn(body)
    expect([encoding, bytes.length < TEXT.length / 2]).toEqual([wanted, true])
    expect(DECODE[wanted](bytes).toString()).toBe(TEXT)
  }
})

test('a short body stays as it is', async () => {
  const plain = { bytes: bytesOf('{}') }
  expect(await encoded(plain, 'zstd')).toEqual({ body: plain, encoding: 'identity' })
})

test.each(['gzip', 'zstd'] as const)('%s fails with its chunks, and ends them when cancelled', async (wanted) => {
  const failure = new Error('disk error')
  const failing = await encoded({ chunks: chunksOf(['[1', failure]) }, wanted)
  expect(await bytesIn(failing.body).catch((error: unknown) => error)).toBe(failure)

  let isEnded = false
  async function* endless() {
    try {
      while (true) yield new Uint8Array(100_000).map(() => Math.random() * 256)
    } finally {
      isEnded = true
    }
  }
  const { body } = await encoded({ chunks: endless() }, wanted)
  if (!('chunks' in body)) throw new Error('no chunks')
  await body.chunks.next()
  await body.chunks.return?.()
  expect(isEnded).toBe(true)
})
