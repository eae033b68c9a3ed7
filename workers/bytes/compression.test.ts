// The first bytes show how a file is compressed; padding after a member is skipped; an error says what to do.

import { expect, test } from 'bun:test'
import { gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { compressionOf, inflateFault, MAGIC_BYTES, newInflater, skipPadding } from './compression.ts'

test.each<[string, number[], string | undefined]>([
  ['gzip', [...gzipSync('a').subarray(0, MAGIC_BYTES)], 'gzip'],
  ['zstd', [...zstdCompressSync('a').subarray(0, MAGIC_BYTES)], 'zstd'],
  ['a skippable frame', [0x5a, 0x2a, 0x4d, 0x18], 'zstd'],
  ['a cut magic number', [0x28, 0xb5], 'zstd'],
  ['another second byte', [0x1f, 0x8c, 8, 0], undefined],
  ['JSON', [...Buffer.from('{"a"')], undefined],
  ['nothing', [], undefined],
])('%s', (_, head, expected) => expect(compressionOf(new Uint8Array(head))).toBe(expected as never))

test.each(['gzip', 'zstd'] as const)('the inflater of %s returns the packed bytes', async (compression) => {
  const packed = compression === 'gzip' ? gzipSync('order book') : zstdCompressSync('order book')
  const inflater = newInflater(compression, 64)
  inflater.end(packed)
  expect(await new Response(inflater as unknown as ReadableStream).text()).toBe('order book')
  if (compression === 'gzip') expect(gunzipSync(packed).toString()).toBe('order book')
})

test.each([
  [3, 3],
  [0, 0],
  [4, 9],
  [10, 12],
])('from place %d on, the next byte that is not zero is at %d', async (start, expected) => {
  const file = new Uint8Array([1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0])
  expect(await skipPadding(start, (at) => file.subarray(at, at + 2))).toBe(expected)
})

test('a window that is too large reports how to unpack the file, another failure its own message', () => {
  const large = Object.assign(new Error('x'), { code: 'ZSTD_error_frameParameter_windowTooLarge' })
  expect(inflateFault(large)).toMatch(/needs more than 128 MB of memory: unpack the file first \(zstd -d --long=31\)/)
  expect(inflateFault(new Error('incorrect data check'))).toBe('incorrect data check')
})
