// Labels of an axis do not cover each other, and stay where they belong if they can.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { spreadOut } from './spread-out.ts'

test.each([
  [[], []],
  [[5], [5]],
  [
    [0, 10, 30],
    [0, 10, 30],
  ],
  [
    [10, 12],
    [6, 16],
  ],
  [
    [0, 13, 14, 40],
    [-1, 9, 19, 40],
  ],
])('%j', (places, moved) => {
  expect(spreadOut(places, 10)).toEqual(moved)
})

test('no two places are closer than requested, whatever the input', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 6 }), (any) => {
      const places = any.sort((a, b) => a - b)
      const moved = spreadOut(places, 10)
      expect(moved).toHaveLength(places.length)
      for (let i = 1; i < moved.length; i++) expect(moved[i]! - moved[i - 1]!).toBeGreaterThan(10 - 1e-9)
      const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0)
      expect(sum(moved)).toBeCloseTo(sum(places), 6)
    }),
  )
})
