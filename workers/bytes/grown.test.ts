// A column that has grown has the same values, the same type, and room after the values.

import { expect, test } from 'bun:test'
import { grown } from './grown.ts'

test.each([Float64Array, Int32Array, Uint32Array])('a column that is longer', (Kind) => {
  expect(grown(Kind.of(1, 2, 3))).toEqual(Kind.of(1, 2, 3, 0, 0, 0))
  expect(grown(Kind.of(7), 4)).toEqual(Kind.of(7, 0, 0, 0))
  expect(grown(new Kind(0), 2)).toEqual(new Kind(2))
})
