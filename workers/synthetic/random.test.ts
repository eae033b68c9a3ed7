// Tests the seeded random numbers: they repeat, and are as even as a generated day needs.

import { expect, test } from 'bun:test'
import { Random } from './random.ts'

const draw = (random: Random) => Array.from({ length: 50 }, () => random.uint32())

test('Random repeats itself for the same seed and stream, and only then', () => {
  const first = draw(new Random(7, 'a'))
  expect(draw(new Random(7, 'a'))).toEqual(first)
  expect(draw(new Random(8, 'a'))).not.toEqual(first)
  expect(draw(new Random(7, 'b'))).not.toEqual(first)
})

test('Random stays in its bounds and reaches them', () => {
  const random = new Random(1, 'bounds')
  const seen = new Set(Array.from({ length: 1_000 }, () => random.between(3, 6)))
  expect([...seen].sort()).toEqual([3, 4, 5, 6])
  for (let index = 0; index < 1_000; index++) expect(Math.abs(random.bell())).toBeLessThanOrEqual(3)
})

test('Random has the means it promises', () => {
  const random = new Random(1, 'means')
  const mean = (value: () => number) => Array.from({ length: 20_000 }, value).reduce((sum, each) => sum + each) / 20_000
  expect(mean(() => random.fraction())).toBeCloseTo(0.5, 1)
  expect(mean(() => random.burst(10)) / 10).toBeCloseTo(1, 1)
  expect(mean(() => random.bell())).toBeCloseTo(0, 1)
  expect(mean(() => random.bell() ** 2)).toBeCloseTo(1, 1)
})

test('Random writes identifiers of the right form', () => {
  const random = new Random(1, 'forms')
  expect(random.hex(63)).toMatch(/^[0-9a-f]{63}$/)
  expect(random.decimal(75)).toMatch(/^\d{75}$/)
  expect(random.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
