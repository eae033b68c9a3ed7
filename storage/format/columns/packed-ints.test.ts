// Integers are read back unchanged from their packed planes, few or many.

import { expect, test } from 'bun:test'
import { Random } from '../../../workers/synthetic/random.ts'
import { decodeInts } from './int-column.ts'
import { unpack } from './packed.ts'
import { packInts } from './packed-ints.ts'

test.each([0, 1, 255, 256, 257, 5_000])('%i integers', (count) => {
  const random = new Random(count, 'packed-ints')
  const values = Float64Array.from({ length: count }, () => random.below(140_001) - 70_000)
  expect(decodeInts(unpack(packInts(values, count)), count)).toEqual(values)
})

test('noise in the low byte does not keep the high byte from packing', () => {
  const random = new Random(1, 'low-noise')
  const count = 8_192
  const values = Float64Array.from({ length: count }, () => 3 * 65_536 + random.below(256))
  values[0] = 0
  // The two upper planes are nearly constant, so they cost almost nothing.
  expect(packInts(values, count).length).toBeLessThan(1.1 * count)
})
