// Tests contracts as numbers.

import { expect, test } from 'bun:test'
import { contractsOf } from './market-fields.ts'

test.each([
  [0n, 0],
  [1n, 0.000001],
  [2_500_000n, 2.5],
  [-1_500_000n, -1.5],
  [123_456_789_012_345_678n, 123_456_789_012.34567],
  [9_007_199_254_740_993_000_000n, 9_007_199_254_740_992],
])('%d millionths are %d contracts', (micros, contracts) => expect(contractsOf(micros)).toBe(contracts))
