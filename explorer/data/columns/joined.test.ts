// Joins columns of several answers into one.

import { expect, test } from 'bun:test'
import { joined } from './joined.ts'

test('the parts come in their order, in one column of the wanted kind', () => {
  expect(joined<Float64Array>([Float64Array.of(1, 2), new Float64Array(0), Float64Array.of(3)])).toEqual(
    Float64Array.of(1, 2, 3),
  )
  expect(joined<Float64Array>([])).toEqual(new Float64Array(0))
  expect(joined([Float32Array.of(1), Float32Array.of(2)], Float32Array)).toEqual(Float32Array.of(1, 2))
})
