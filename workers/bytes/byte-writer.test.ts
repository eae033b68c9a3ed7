// Bytes that were taken from a writer do not change, whether they were copied or handed over.

import { expect, test } from 'bun:test'
import { ByteWriter } from './byte-writer.ts'

test.each([1, 7, 8, 9, 15, 16, 17, 100])('taken bytes stay: %d bytes of a writer of 16', (length) => {
  const writer = new ByteWriter(16)
  const taken = Array.from({ length: 5 }, (_, round) => {
    writer.write(new Uint8Array(length).fill(round))
    return writer.take()
  })
  expect(taken).toEqual(taken.map((_, round) => new Uint8Array(length).fill(round)))
  expect(writer.length).toBe(0)
})

test('taking a few bytes does not hold the whole buffer', () => {
  const writer = new ByteWriter(1_024)
  writer.write(new Uint8Array(100))
  expect(writer.take().buffer.byteLength).toBe(100)
})

test('the view shows the bytes, also of a new buffer', () => {
  const writer = new ByteWriter(4)
  for (let round = 0; round < 3; round++) {
    writer.reserve(40)
    writer.view.setUint8(3, round + 1)
    expect(writer.bytes[3]).toBe(round + 1)
    writer.length = 40
    writer.take()
  }
})
