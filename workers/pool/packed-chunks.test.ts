// The rest of an answer is packed and unpacks to the same bytes, in small chunks with buffers of their own.

import { expect, test } from 'bun:test'
import { packAtOnce, packChunks } from './packed-chunks.ts'

const chunksOf = (...lengths: number[]) =>
  lengths.map((length, i) => Buffer.alloc(length, `${i}`)).map((bytes) => new Uint8Array(bytes))

test.each([[[10]], [[64 * 1_024, 64 * 1_024 + 1]], [[300_000, 1, 200_000]], [[]]])(
  'chunks of %p bytes',
  async (lengths) => {
    const expected = Buffer.concat(chunksOf(...lengths))
    const { chunks, bytes } = await packChunks(chunksOf(...lengths).values())
    const unpacked = [...{ [Symbol.iterator]: () => chunks }]
    expect(Buffer.concat(unpacked).equals(expected)).toBe(true)
    expect(bytes < Math.max(100, expected.length / 10)).toBe(true)
    expect(unpacked.every((chunk) => chunk.length <= 64 * 1_024 && chunk.buffer.byteLength === chunk.length)).toBe(true)
    const atOnce = [...{ [Symbol.iterator]: () => packAtOnce(chunksOf(...lengths).values()) }]
    expect(Buffer.concat(atOnce).equals(expected)).toBe(true)
  },
)

test('the buffers that were packed are freed', async () => {
  const chunks = chunksOf(100_000)
  await packChunks(chunks.values())
  expect(chunks[0]!.length).toBe(0)
})
