// The publisher's manifest of a file is found beside it, and a file of another size is refused.

import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveRanges } from '../../test/support/archives/range-server.ts'
import { publishedSha256 } from './published-digest.ts'

const SHA256 = 'ab'.repeat(32)
const manifest = (of: object) => JSON.stringify({ file: 'hour.parquet', bytes: 10, sha256: SHA256, ...of })

test.each([
  ['of this file', manifest({}), SHA256],
  ['of another file', manifest({ file: 'other.parquet' }), null],
  ['without a digest', manifest({ sha256: undefined }), null],
  ['that is no JSON', 'none', null],
  ['of more than 1 MB', manifest({ more: 'a'.repeat(1 << 20) }), null],
])('behind a URL, a manifest %s', async (_, text, digest) => {
  await using served = serveRanges(new Uint8Array(10), { 'manifest.json': text })
  expect(await publishedSha256({ name: served.url, byteLength: 10 })).toBe(digest)
})

test('stops reading a manifest without an end', async () => {
  const endless = () => new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(64 << 10).fill(0x20)) })
  await using server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(endless()) })
  const name = `http://127.0.0.1:${server.port}/hour.parquet`
  expect(await publishedSha256({ name, byteLength: 10 })).toBeNull()
})

test('without a manifest there is no digest', async () => {
  await using served = serveRanges(new Uint8Array(10))
  expect(await publishedSha256({ name: served.url, byteLength: 10 })).toBeNull()
})

test('on the disk, and of other bytes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'backbook-test-'))
  const name = join(folder, 'hour.parquet')
  writeFileSync(join(folder, 'manifest.json'), manifest({}))
  expect(await publishedSha256({ name, byteLength: 10 })).toBe(SHA256)
  await expect(publishedSha256({ name, byteLength: 11 })).rejects.toThrow('has 11 bytes, its manifest says 10')
  rmSync(folder, { recursive: true })
})
