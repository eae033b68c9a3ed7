// The declared size of a page is checked against limits before the page is unpacked. So a small file takes no more
// memory than its pages declare, and a page that declares too much is refused.

import { expect, test } from 'bun:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import type { CompressionCodec } from 'hyparquet'
import { ColumnReader } from './column-reader.ts'
import { NumberValues, WHOLES } from './page-values.ts'

const LEAF = {
  ...{ name: 'a', field: 'a', type: 'INT64', bytes: 8, logical: 'whole' as const, scale: 0, unitsInMs: 1 },
  ...{ definition: 0, repetition: 0, element: 0 },
}

/** Encodes a whole number in Thrift's compact protocol. */
function zigzag(value: number): number[] {
  const bytes: number[] = []
  let left = 2 * value
  for (; left > 0x7f; left = Math.floor(left / 128)) bytes.push((left % 128) + 128)
  return [...bytes, left]
}

/** Reads the integers of a column with one data page, from the sizes that its header declares and its packed bytes. */
function read(
  packed: Uint8Array,
  codec: CompressionCodec,
  declared: { bytes: number; values: number },
): BigUint64Array {
  const numbers = (...of: number[]) => of.flatMap((value) => [0x15, ...zigzag(value)])
  // The header of a data page. Field 5 has its details: plain values, with levels as runs.
  const header = [...numbers(0, declared.bytes, packed.length), 0x2c, ...numbers(declared.values, 0, 3, 3), 0, 0]
  const bytes = new Uint8Array([...header, ...packed])
  const room = (length: number) => new BigUint64Array(length)
  const reader = new ColumnReader({ leaf: LEAF, codec, bytes }, declared.values, new NumberValues(LEAF, WHOLES), room)
  const into = room(Math.min(declared.values, 2))
  reader.read(into.length, (_page, _start, _end, count) => reader.values.read(into, count))
  return into
}

const VALUES = new Uint8Array(new BigUint64Array([7n, 9n]).buffer)
const zeros = new Uint8Array(64 << 20)

test.each<[CompressionCodec, (bytes: Uint8Array) => Uint8Array]>([
  ['ZSTD', zstdCompressSync],
  ['GZIP', gzipSync],
])('%s is unpacked up to what the header says', (codec, pack) => {
  expect([...read(pack(VALUES), codec, { bytes: 16, values: 2 })]).toEqual([7n, 9n])
  const bomb = pack(zeros)
  expect(() => read(bomb, codec, { bytes: 16, values: 2 })).toThrow('a page has more bytes than the 16')
  expect(() => read(pack(VALUES), codec, { bytes: 17, values: 2 })).toThrow('a page has 16 bytes, its header says 17')
  expect(() => read(bomb, codec, { bytes: 1e9, values: 2 })).toThrow('a page has 1000000000 bytes: up to 268435456')
})

test('bytes after a frame of zstd count, too', () => {
  const bomb = Buffer.concat([zstdCompressSync(VALUES), zstdCompressSync(zeros)])
  expect(() => read(bomb, 'ZSTD', { bytes: 16, values: 2 })).toThrow('a page has more bytes than the 16')
})

test('a page of more values than a writer makes is refused', () => {
  expect(() => read(zstdCompressSync(VALUES), 'ZSTD', { bytes: 16, values: 1e9 })).toThrow('a page says 1000000000')
})
