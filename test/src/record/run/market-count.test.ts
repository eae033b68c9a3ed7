// Tests how many markets a set of books belongs to.

import { expect, test } from 'bun:test'
import { MarketCount } from '../../../../src/record/run/venue-connections.ts'

test('both tokens of a market are one, and a token without its market is one', () => {
  const count = new MarketCount()
  count.add('1', 'a')
  count.add('2', 'a')
  count.add('3', null)
  count.add('3', null)
  expect(count.size).toBe(2)
  count.delete('1')
  expect(count.size).toBe(2)
  count.delete('2')
  count.delete('2')
  expect(count.size).toBe(1)
})
