// Requested columns keep the table's order and their places in it; columns without values appear only in JSON.

import { expect, test } from 'bun:test'
import { allColumns, chooseColumns } from './chosen-columns.ts'
import type { Column } from './table.ts'

const columns: Column[] = [
  { name: 'count', type: 'whole', isNullable: false },
  { name: 'empty', group: { name: 'empty', list: 'values' }, type: 'nothing', isNullable: false },
  { name: 'open', type: 'double', isNullable: true },
]
const table = { constants: [{ name: 'market', text: 'KX' }], columns }
const namesOf = ({ constants, hasTimestamp, columns }: ReturnType<typeof chooseColumns>) => [
  ...constants.map(({ name }) => name),
  ...(hasTimestamp ? ['timestamp'] : []),
  ...columns.map(({ name, index }) => `${name} ${index}`),
]

test.each<[string[] | undefined, string[]]>([
  [undefined, ['market', 'timestamp', 'count 0', 'open 2']],
  [
    ['open', 'market'],
    ['market', 'open 2'],
  ],
  [
    ['count', 'timestamp'],
    ['timestamp', 'count 0'],
  ],
  [['empty'], []],
])('%p', (names, expected) => expect(namesOf(chooseColumns(table, names))).toEqual(expected))

test('JSON has all', () =>
  expect(allColumns(table).columns.map(({ name, index }) => [name, index])).toEqual([
    ['count', 0],
    ['empty', 1],
    ['open', 2],
  ]))
