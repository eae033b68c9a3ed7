// Runs of equal values and packed groups come back in steps of any size.

import { expect, test } from 'bun:test'
import { Random } from '../../synthetic/random.ts'
import { bitsOf, HYBRID_BITS_MAX, HybridRuns } from './hybrid-runs.ts'

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)]
}
const run = (value: number, count: number, bits: number) => [
  ...varint(2 * count),
  ...Array.from({ length: Math.ceil(bits / 8) }, (_, i) => (value >>> (8 * i)) & 0xff),
]
function packed(values: number[], bits: number): number[] {
  let held = 0n
  for (const [i, value] of values.entries()) held |= BigInt(value) << BigInt(bits * i)
  const bytes = Array.from({ length: (values.length * bits) / 8 }, (_, i) => Number((held >> BigInt(8 * i)) & 0xffn))
  return [...varint((values.length / 8) * 2 + 1), ...bytes]
}

test.each([1, 2, 3, 7, 8, 13, 24])('values of %d bits', (bits) => {
  const random = new Random(bits, 'runs')
  const [bytes, values]: [number[], number[]] = [[0xff, 0xff], []]
  for (let i = 0; i < 30; i++) {
    const value = random.below(2 ** bits)
    const count = random.chance(0.5) ? 1 + random.below(300) : 8 * (1 + random.below(20))
    const of =
      count % 8 === 0 ? Array.from({ length: count }, () => random.below(2 ** bits)) : Array<number>(count).fill(value)
    bytes.push(...(count % 8 === 0 ? packed(of, bits) : run(value, count, bits)))
    values.push(...of)
  }
  const runs = new HybridRuns(Uint8Array.from(bytes), 2, bytes.length, bits)
  const found: number[] = []
  while (found.length < values.length) {
    const count = Math.min(random.between(1, 90), values.length - found.length)
    const into = new Uint32Array(90)
    runs.read(into, count)
    found.push(...into.subarray(0, count))
  }
  expect(found).toEqual(values)
})

test('values of no bits are 0; runs that end too early and wide values are refused', () => {
  const into = new Uint8Array(3).fill(9)
  new HybridRuns(new Uint8Array(0), 0, 0, 0).read(into, 3)
  expect([...into]).toEqual([0, 0, 0])
  for (const bytes of [[], [6], [3, 1], [0x80]]) {
    expect(() => new HybridRuns(Uint8Array.from(bytes), 0, bytes.length, 12).read(new Uint32Array(8), 8)).toThrow(
      'its runs end too early',
    )
  }
  expect(() => new HybridRuns(new Uint8Array(0), 0, 0, HYBRID_BITS_MAX + 1)).toThrow(
    'values of 25 bits are wider than 24',
  )
})

test('bits that values need', () => expect([0, 1, 2, 3, 4, 255, 256].map(bitsOf)).toEqual([0, 1, 2, 2, 3, 8, 9]))
