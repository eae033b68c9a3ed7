// Every column of integers is read back unchanged, whichever form the encoder chooses.

import { describe, expect, test } from 'bun:test'
import { Random } from '../../../workers/synthetic/random.ts'
import { decodeIndexedInts, decodeIndexes, decodeInts, encodeInts } from './int-column.ts'

function check(values: number[]): void {
  const column = Float64Array.from(values)
  const encoded = encodeInts(column, column.length)
  expect([...decodeInts(encoded, column.length)]).toEqual(values)
  // Also decodes into an array with other values in it.
  const used = new Float64Array(column.length).fill(0.5)
  expect([...decodeInts(encoded, column.length, used)]).toEqual(values)
}

const EXACT = 2 ** 52

describe('encodeInts', () => {
  test.each([
    ['nothing', []],
    ['one value', [7]],
    ['a constant', [-3, -3, -3]],
    ['zeros', [0, 0]],
    ['the largest', [EXACT - 1, -(EXACT - 1), 0]],
    ['beyond the exact', [2 ** 53 - 1, 0, -(2 ** 53 - 1)]],
    ['a span beyond the exact', [EXACT - 5, -5]],
    ['far beyond', [1e300, -1e300, 5]],
    ['two of a kind', [1, 2, 1, 2, 1, 2, 1, 2]],
    ['a step at the end', [1, 2, 3, 4, 5, 1_000_000_000_000]],
    ['a step back at the end', [1, 2, 3, 4, 5, -1_000_000_000_000]],
  ])('round-trips %s', (_name, values) => check(values))

  test.each([255, 256, 65_535, 65_536, 2 ** 24, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 40, 2 ** 48])(
    'keeps values around a width of %d',
    (limit) => {
      check([0, limit - 1, limit, limit + 1, 3])
      check([-limit, limit, -limit - 1, 0])
      check([limit + 7, limit + 8, 2 * limit])
    },
  )

  // The sum of these steps exceeds 32 bits.
  test.each([1, 250, 65_000, 70_000])('round-trips forty thousand steps of up to %d', (stepMax) => {
    const random = new Random(stepMax, 'steps')
    let value = 1_784_505_600_000
    const values: number[] = []
    for (let i = 0; i < 40_000; i++) {
      value += random.between(1, stepMax)
      values.push(value)
    }
    check(values)
  })

  test('stores only the first `count` values', () => {
    const values = Float64Array.from([1, 2, 3, 99, 99])
    expect([...decodeInts(encodeInts(values, 3), 3)]).toEqual([1, 2, 3])
  })

  test.each(Array.from({ length: 60 }, (_, index) => index + 1))('round-trips random columns, seed %d', (seed) => {
    const random = new Random(seed, 'ints')
    const scale = 2 ** random.below(53)
    const words = Array.from({ length: random.between(1, 300) }, () => random.between(-scale / 2, scale / 2))
    const shapes = [
      () => Math.floor((random.fraction() - 0.5) * scale),
      () => random.pick(words),
      (before: number) => Math.min(EXACT - 1, before + random.below(1 + scale / 4_096)),
      (before: number) => before + random.between(-9, 9),
    ]
    const shape = random.pick(shapes)
    const values: number[] = []
    for (let i = random.between(1, 5_000); i > 0; i--) {
      // A few values have another shape. The encoder chooses the form from the middle, which may look different.
      const other = random.chance(0.001) ? random.pick(shapes) : shape
      values.push(other(values.at(-1) ?? 0))
    }
    check(values)
  })
})

describe('decodeInts', () => {
  test.each([
    ['no bytes', new Uint8Array(0)],
    ['a header cut off', new Uint8Array(9)],
    ['an unknown form', Uint8Array.of(77, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3)],
    ['bytes missing', encodeInts(Float64Array.of(1, 70_000, 3), 3).subarray(0, 14)],
  ])('throws RangeError on %s', (_name, bytes) => expect(() => decodeInts(bytes, 3)).toThrow(RangeError))

  test('throws RangeError if the count differs', () => {
    const bytes = encodeInts(
      Float64Array.from({ length: 50 }, (_, i) => i * i * 977),
      50,
    )
    expect(() => decodeInts(bytes, 51)).toThrow(RangeError)
  })
})

describe('decodeIndexes', () => {
  test.each([
    ['bytes', [0, 1, 255]],
    ['words', [0, 65_535, 256]],
    ['a constant', [9, 9, 9]],
    ['few of many', Array.from({ length: 600 }, (_, i) => (i % 3) * 20_000)],
  ])('reads %s', (_name, values) => {
    const bytes = encodeInts(Float64Array.from(values), values.length)
    expect([...decodeIndexes(bytes, values.length)]).toEqual(values)
    expect([...decodeIndexes(bytes, values.length, new Uint16Array(values.length).fill(7))]).toEqual(values)
  })

  test.each([[[0, 65_536]], [[-1, 4]]])('throws RangeError on %p', (values) =>
    expect(() => decodeIndexes(encodeInts(Float64Array.from(values), 2), 2)).toThrow(RangeError),
  )
})

describe('decodeIndexedInts', () => {
  const few = Array.from({ length: 3_000 }, (_, i) => ((i * i) % 700) * 1_000_003 - 5)

  test('reads a dictionary as words and the index of each row', () => {
    const { words, indexes } = decodeIndexedInts(encodeInts(Float64Array.from(few), few.length), few.length)!
    expect(words.length).toBeLessThan(few.length / 4)
    expect(Array.from(indexes, (index) => words[index]!)).toEqual(few)
  })

  test('leaves any other column alone', () => {
    const rising = Float64Array.from(few.keys())
    expect(decodeIndexedInts(encodeInts(rising, rising.length), rising.length)).toBeUndefined()
    expect(decodeIndexedInts(new Uint8Array(0), 0)).toBeUndefined()
  })

  test('throws RangeError on an index beyond the words, and if the count differs', () => {
    const bytes = encodeInts(Float64Array.from(few), few.length)
    expect(() => decodeIndexedInts(bytes, few.length + 1)).toThrow(RangeError)
    bytes.fill(0xff, bytes.length - 20)
    expect(() => decodeIndexedInts(bytes, few.length)).toThrow(RangeError)
    expect(() => decodeInts(bytes, few.length)).toThrow(RangeError)
  })
})
