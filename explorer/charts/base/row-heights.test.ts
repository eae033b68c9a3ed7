// Rows of a depth map are as tall as the ticks of their market, whatever step was requested.

import { expect, test } from 'bun:test'
import { commonStep, rowHeights } from './row-heights.ts'

const unknown = () => null

test('a market of cents has rows of a cent', () => {
  const cents = [0.42, 0.43, 0.45, 0.5]
  expect(commonStep(cents, 0.001)).toBe(10)
  expect([...rowHeights(cents, 0.001, unknown)]).toEqual([10, 10, 10, 10])
  expect([...rowHeights(cents, 0.01, unknown)]).toEqual([1, 1, 1, 1])
})

test('a market of tenths of a cent has rows of a tenth', () => {
  expect([...rowHeights([0.42, 0.421, 0.45], 0.001, () => 0.001)]).toEqual([1, 1, 1])
})

test('if the tick differs by price, row heights differ too, and no row covers another', () => {
  const tapered = (dollars: number) => (dollars < 0.1 ? 0.001 : 0.01)
  expect([...rowHeights([0.001, 0.05, 0.099, 0.1, 0.11], 0.001, tapered)]).toEqual([1, 1, 1, 10, 10])
  expect([...rowHeights([0.1, 0.103, 0.2], 0.001, tapered)]).toEqual([3, 10, 10])
})
