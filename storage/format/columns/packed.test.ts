// Goal: packed bytes come back unchanged, whole or in parts, whatever they contain; damaged bytes are an error.

import { describe, expect, test } from 'bun:test'
import { Random } from '../../../workers/synthetic/random.ts'
import { decodeIndexes, decodeInts, encodeInts } from './int-column.ts'
import { pack, packParts, unpack } from './packed.ts'
import { packInts } from './packed-ints.ts'

const random = new Random(7, 'packed')
const noise = (length: number, limit: number) => Uint8Array.from({ length }, () => random.below(limit))
const repeating = (length: number) => Uint8Array.from({ length }, (_, i) => (i * i) % 89)

describe('pack', () => {
  test.each([
    ['nothing', new Uint8Array(0)],
    ['a few bytes', noise(47, 256)],
    ['noise', noise(20_000, 256)],
    ['a distribution', noise(20_000, 9)],
    ['repetitions', repeating(20_000)],
    ['zeros', new Uint8Array(300_000)],
  ])('round-trips %s', (_name, bytes) => expect(unpack(pack(bytes))).toEqual(bytes))

  test('makes bytes smaller if they repeat or have an uneven distribution', () => {
    expect(pack(noise(20_000, 9)).length).toBeLessThan(0.42 * 20_000)
    expect(pack(repeating(20_000)).length).toBeLessThan(400)
  })
})

describe('packParts', () => {
  test.each([[[10_000]], [[1, 10_000]], [[0, 5_000, 5_000, 10_000]], [[3_000, 6_000, 10_000]], [[]]])(
    'keeps parts that end at %p',
    (ends) => {
      const bytes = noise(ends.at(-1) ?? 0, 5)
      expect(unpack(packParts(bytes, ends))).toEqual(bytes)
    },
  )

  test('round-trips more parts than it has numbers for', () => {
    const bytes = noise(3_000, 5)
    const ends = Array.from({ length: 300 }, (_, i) => 10 * (i + 1))
    expect(unpack(packParts(bytes, ends))).toEqual(bytes)
  })

  test('gives each part codes of its own', () => {
    const parts = Uint8Array.from([...noise(8_000, 256), ...noise(8_000, 5)])
    expect(packParts(parts, [8_000, 16_000]).length).toBeLessThan(0.95 * pack(parts).length)
  })

  test.each([1, 2, 9, 10, 17, 18])('refuses parts cut off after %d bytes', (length) => {
    const packed = packParts(noise(20_000, 5), [10_000, 20_000])
    expect(() => unpack(packed.subarray(0, length))).toThrow(RangeError)
  })

  test('refuses a part of another length than it should have', () => {
    const packed = packParts(noise(20_000, 5), [10_000, 20_000])
    packed[2]! ^= 1
    expect(() => unpack(packed)).toThrow(RangeError)
  })
})

describe('packInts', () => {
  test.each([2, 100, 255, 256, 5_000])('round-trips %d values of any width', (count) => {
    for (const limit of [2, 16, 17, 300, 70_000, 2 ** 33]) {
      const values = Float64Array.from({ length: count }, () => random.below(limit))
      expect(decodeInts(unpack(packInts(values, count)), count)).toEqual(values)
    }
  })

  test('spends less than a bit on a value that is nearly always the same', () => {
    const values = Float64Array.from({ length: 16_384 }, () => (random.chance(0.03) ? 1 : 0))
    expect(packInts(values, values.length).length).toBeLessThan(16_384 / 25)
  })
})

describe('bits', () => {
  test.each([0, -3, 5, 1e12])('round-trips values of 2, 4 and 16 kinds from %d on', (base) => {
    for (const kinds of [2, 3, 4, 5, 16]) {
      for (const count of [2, 7, 8, 9, 1_001]) {
        const values = Float64Array.from({ length: count }, (_, i) => base + (i % kinds))
        expect(decodeInts(encodeInts(values, count), count)).toEqual(values)
        const isIndex = base >= 0 && base < 1_000
        if (isIndex) expect([...decodeIndexes(encodeInts(values, count), count)]).toEqual([...values])
      }
    }
  })

  test('reads small values in their older form', () => {
    const frame = Uint8Array.from([1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 3])
    expect([...decodeInts(frame, 4)]).toEqual([2, 0, 1, 3])
    expect([...decodeIndexes(frame, 4)]).toEqual([2, 0, 1, 3])
  })

  test('refuses a width and a length that are not its own', () => {
    const encoded = encodeInts(Float64Array.from([0, 1, 1, 0, 1]), 5)
    expect(() => decodeInts(encoded, 9)).toThrow(RangeError)
    expect(() => decodeIndexes(encoded, 9)).toThrow(RangeError)
    encoded[1] = 3
    expect(() => decodeInts(encoded, 5)).toThrow(RangeError)
  })
})
