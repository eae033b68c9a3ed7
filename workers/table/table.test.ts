// Tests the names of flattened columns, and the number that a stored value represents.

import { expect, test } from 'bun:test'
import { type Column, columnNames, NULL, numberOf } from './table.ts'

const column = (type: Column['type']): Column => ({ name: 'x', type, isNullable: true })

test.each<[Column['type'], number, number | boolean | null]>([
  ['whole', 7, 7],
  ['flag', 1, true],
  ['flag', 0, false],
  ['double', 0.25, 0.25],
  [{ places: 6 }, 216_216_215, 216.216215],
  [{ places: 7 }, NULL, null],
  ['flag', NULL, null],
])('%p of %p is %p', (type, value, expected) => expect(numberOf(column(type), value)).toBe(expected))

test('constants, the time and columns with values, in this order', () => {
  const columns = [column('nothing'), { ...column('whole'), name: 'y' }]
  expect(columnNames(columns, [{ name: 'market' }])).toEqual(['market', 'timestamp', 'y'])
  expect(columnNames(columns, [], false)).toEqual(['y'])
})
