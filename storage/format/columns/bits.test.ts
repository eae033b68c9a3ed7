// Values of a few bits each are packed and read back unchanged, however many there are.

import { expect, test } from 'bun:test'
import { Random } from '../../../workers/synthetic/random.ts'
import { bitsFor, packedBytes, readBits, writeBits } from './bits.ts'

test.each([
  [0, 1],
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 4],
  [15, 4],
])('values up to %i take %i bits', (valueMax, bits) => {
  expect(bitsFor(valueMax)).toBe(bits)
})

test('the first value has the lowest bits of a byte', () => {
  const bytes = new Uint8Array(2)
  writeBits(Float64Array.of(11, 10, 13, 12, 11), 5, 10, 2, bytes)
  expect([...bytes]).toEqual([0b10_11_00_01, 0b01])
})

test.each([1, 2, 4])('values of %i bits are read as they were written', (bits) => {
  const random = new Random(bits, 'bits')
  for (let count = 0; count < 40; count++) {
    const values = Float64Array.from({ length: count }, () => random.below(2 ** bits))
    const bytes = new Uint8Array(packedBytes(count, bits))
    writeBits(values, count, 0, bits, bytes)
    const read = new Float64Array(count)
    readBits(bytes, bits, read)
    expect(read).toEqual(values)
  }
})
