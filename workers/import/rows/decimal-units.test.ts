// Decimals are whole units of their last digit, or not a number.

import { expect, test } from 'bun:test'
import { decimalUnits } from './decimal-units.ts'

test.each([
  ['0.49', 2, 49],
  ['.5', 2, 50],
  ['7', 2, 700],
  ['7.', 2, 700],
  ['-0.01', 2, -1],
  ['0.4900', 2, 49],
  ['0.491', 2, Number.NaN],
  ['', 2, Number.NaN],
  ['.', 2, Number.NaN],
  ['-', 2, Number.NaN],
  ['1e2', 2, Number.NaN],
  [' 1', 2, Number.NaN],
  ['9007199254.740991', 6, Number.MAX_SAFE_INTEGER],
  ['9007199254.740992', 6, Number.NaN],
])('%j with %d places: %p', (text, places, expected) => expect(decimalUnits(text, places)).toBe(expected))
