// Finds the marks of a value axis: a low axis has at least two, and no mark is between ticks.

import { expect, test } from 'bun:test'
import { outerTicks } from './value-ticks.ts'

test.each([
  [0, 8.8, 1, [0, 5]],
  [0, 22, 1, [0, 20]],
  [-1_309, 1_309, 0, [-1_000, 0, 1_000]],
  [0, 0.02, 0.01, [0, 0.02]],
  [0, 0.013, 0.001, [0, 0.01]],
  [0, 0.0049, 0.001, [0, 0.002]],
  [0, 0.05, 0.0025, [0, 0.05]],
  [-0.1, 0, 0, [-0.1, 0]],
])('from %d to %d with a step of %d: %j', (low, high, least, ticks) => {
  expect(outerTicks(low, high, least)).toEqual(ticks)
})
