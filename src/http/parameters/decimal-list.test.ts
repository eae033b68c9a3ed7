// A list of decimals has at most eight values, each within its range and only once.

import { expect, test } from 'bun:test'
import { decimalList } from './decimal-list.ts'

const above = decimalList({ min: 0, max: 1, isAboveMin: true }, { description: 'd' })
const from = decimalList({ min: 0, max: 1 }, { description: 'd' })

test.each([
  ['0.01,0.02,1', true],
  ['0.000001', true],
  ['0.0000001', false],
  ['0', false],
  ['1.1', false],
  ['0.1,0.10', false],
  ['0.1,', false],
  ['', false],
  ['.5', false],
  ['01', false],
  ['0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8', true],
  ['0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9', false],
])('%p', (text, isTaken) => {
  expect(above.matches?.(text)).toBe(isTaken)
})

test('the minimum may be included', () => {
  expect(from.matches?.('0,1')).toBe(true)
  expect([from.accepts, above.accepts]).toEqual([
    'up to 8 different decimals from 0 to 1 with commas between, each with at most six places',
    'up to 8 different decimals above 0 and up to 1 with commas between, each with at most six places',
  ])
})
