// Tests lists and coverage: long ones are compressed for clients that accept it, short ones never.

import { expect, test } from 'bun:test'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { AUTHORIZED, fakeCatalogue, head, TICKER, testApp } from '../../../test/support/server.ts'

const LIST = '/kalshi/market/list?limit=1000'
const COVERAGE = `/api/v1/kalshi/market/coverage?ticker=${TICKER}`

const names = (count: number) => Array.from({ length: count }, (_, i) => `KX-${i}`.padEnd(20, 'x'))
function appWith(count: number) {
  const markets = names(count)
  const heads = markets.map((_, i) => ({ date: new Date(i * 86_400_000).toISOString().slice(0, 10), head: head() }))
  return testApp({ catalogue: fakeCatalogue({ markets: () => ({ markets, totalCount: count }), heads: () => heads }) })
}

async function get(count: number, path: string, headers: Record<string, string> = {}, method = 'GET') {
  const request = new Request(`http://localhost${path}`, { method, headers: { ...AUTHORIZED, ...headers } })
  const response = await appWith(count).fetch(request)
  const { status, headers: responseHeaders } = response
  return {
    status,
    responseHeaders,
    bytes: Buffer.from(await response.arrayBuffer()),
    encoding: responseHeaders.get('content-encoding'),
  }
}

test.each([LIST, COVERAGE])(
  '%s is uncompressed by default, and compressed for a client that accepts it',
  async (path) => {
    const plain = await get(1_000, path)
    expect([plain.status, plain.encoding, plain.bytes.length > 20_000]).toEqual([200, null, true])
    const zstd = await get(1_000, path, { 'accept-encoding': 'gzip, zstd' })
    const gzip = await get(1_000, path, { 'accept-encoding': 'gzip' })
    expect([zstd.encoding, gzip.encoding]).toEqual(['zstd', 'gzip'])
    expect(zstdDecompressSync(zstd.bytes).equals(plain.bytes)).toBe(true)
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true)
    for (const { responseHeaders } of [zstd, gzip, plain]) {
      expect([responseHeaders.get('vary'), responseHeaders.get('etag')]).toEqual([
        'accept-encoding, authorization',
        plain.responseHeaders.get('etag'),
      ])
      expect([responseHeaders.get('content-type'), responseHeaders.get('cache-control')]).toEqual([
        'application/json',
        'private, no-cache',
      ])
    }
  },
)

test.each([LIST, COVERAGE])('a short answer of %s is not compressed, and still has Vary', async (path) => {
  const { encoding, responseHeaders, bytes } = await get(20, path, { 'accept-encoding': 'zstd' })
  expect([encoding, responseHeaders.get('vary')]).toEqual([null, 'accept-encoding, authorization'])
  expect(JSON.parse(bytes.toString())).toBeObject()
})

test.each([LIST, COVERAGE])(
  '%s has headers without the body for HEAD, and for a client that has the answer',
  async (path) => {
    const wanted = { 'accept-encoding': 'zstd' }
    const { responseHeaders } = await get(1_000, path, wanted)
    const etag = responseHeaders.get('etag')!
    const [head, again] = [await get(1_000, path, wanted, 'HEAD'), await get(1_000, path, { 'if-none-match': etag })]
    expect([head.status, again.status, head.bytes.length, again.bytes.length]).toEqual([200, 304, 0, 0])
    for (const each of [head, again]) {
      for (const name of ['etag', 'vary', 'cache-control'])
        expect(each.responseHeaders.get(name)).toBe(responseHeaders.get(name))
      expect(each.encoding).toBeNull()
    }
  },
)

test('a failure is reported, and marked as not to be cached', async () => {
  const catalogue = fakeCatalogue({
    markets: () => {
      throw new Error('a bug')
    },
  })
  const response = await testApp({ catalogue }).fetch(new Request(`http://localhost${LIST}`, { headers: AUTHORIZED }))
  expect([response.status, response.headers.get('cache-control')]).toEqual([500, 'no-store'])
})
