// Goal: the first values of a column are the same whether the rest is decoded or not, in every form it can have.

import { describe, expect, test } from 'bun:test'
import { SlotBuilder } from '../../../workers/block/slot-builder.ts'
import { Random } from '../../../workers/synthetic/random.ts'
import { firstInts } from './first-ints.ts'
import { decodeInts, encodeInts } from './int-column.ts'
import { decodeSlot, encodeSlot, type SlotValues } from './slot-column.ts'

const COUNT = 3_000
const random = new Random(7, 'first-ints')

const COLUMNS: Record<string, () => number> = {
  constant: () => 5,
  bytes: () => random.below(200),
  words: () => random.below(60_000),
  wide: () => random.below(2 ** 31) * 1_000,
  few: () => random.pick([1, 1_000_000, 77_000_000, 123_456_789]),
  signed: () => random.between(-3, 3),
  float: () => random.pick([2 ** 60, -(2 ** 55), 0]),
}

describe('firstInts', () => {
  const rising = Float64Array.from({ length: COUNT }, (_, i) => 1_786_400_000_000 + 17 * i + (i % 5))
  const wandering = rising.map((value, i) => value - 40 * (i % 3))
  const columns = Object.entries(COLUMNS).map(([name, make]) => [name, Float64Array.from({ length: COUNT }, make)])
  test.each([...columns, ['rising', rising], ['wandering', wandering]] as [string, Float64Array][])(
    'of a column that is %s',
    (_, values) => {
      const encoded = encodeInts(values, COUNT)
      for (const count of [0, 1, 2, 255, 2_999, COUNT]) {
        expect(decodeInts(firstInts(encoded, count), count)).toEqual(values.slice(0, count))
      }
    },
  )

  test('throws RangeError if there are fewer', () => {
    const encoded = encodeInts(Float64Array.of(1, 2, 3), 3)
    expect(() => firstInts(encoded, 4)).toThrow(RangeError)
    expect(() => decodeInts(firstInts(encoded.subarray(0, 5), 2), 2)).toThrow(RangeError)
  })
})

describe('decodeSlot', () => {
  const SLOTS: Record<string, () => string> = {
    fixed: () => (random.below(10_000) / 10_000).toFixed(4),
    mixed: () => (random.below(10_000) / 10_000).toFixed(random.between(1, 4)),
    instants: () => `2026-08-10T12:00:${random.between(10, 59)}.${random.between(100_000, 999_999)}Z`,
    hashes: () => random.hex(40),
    sides: () => random.pick(['yes', 'no']),
    texts: () => `text ${random.below(1_000_000_000)}`,
  }
  test.each(Object.entries(SLOTS))('gives the first values of %s', (_, make) => {
    const builder = new SlotBuilder()
    for (let i = 0; i < COUNT; i++) {
      const bytes = Buffer.from(make())
      builder.push(bytes, 0, bytes.length)
    }
    const column = encodeSlot(builder.finish(), COUNT, undefined)
    const all = valuesOf(decodeSlot(column, COUNT, undefined))
    for (const count of [0, 1, 100, 2_999]) {
      expect(valuesOf(decodeSlot(column, count, undefined, true))).toEqual(all.slice(0, count))
    }
  })
})

function valuesOf(slot: SlotValues): (string | number)[] {
  if (slot.form === 'decimal') return [...slot.values].map((value, i) => `${value} ${slot.places?.[i]}`)
  if (slot.form === 'instant') return [...slot.values]
  const { arena, offsets, indexes } = slot.texts
  return [...indexes].map((word) => Buffer.from(arena.subarray(offsets[word], offsets[word + 1])).toString())
}
