// Tests the text before each cell: names and brackets of JSON, commas of CSV.

import { expect, test } from 'bun:test'
import type { Column } from './table.ts'
import {
  type Cell,
  csvCells,
  DECIMAL,
  DOUBLE,
  FLAG,
  jsonCells,
  LEVEL,
  NAME,
  NOTHING,
  PRICE,
  TEXT,
  WHOLE,
} from './text-cells.ts'

const textOf = ({ words, length }: Pick<Cell, 'words' | 'length'>) => Buffer.from(words.buffer, 0, length).toString()
const placed = (columns: Column[]) => columns.map((column, index) => ({ ...column, index }))
const column = (name: string, type: Column['type'], group?: Column['group']): Column => ({
  ...{ name, type, isNullable: true },
  ...(group && { group }),
})
const types: [Column['type'], number][] = [
  ['whole', WHOLE],
  ['flag', FLAG],
  [{ places: 7 }, PRICE],
  [{ places: 6 }, DECIMAL],
  ['double', DOUBLE],
  [{ names: ['a'] }, NAME],
  ['text', TEXT],
  ['nothing', NOTHING],
]

test('every type has its kind; CSV has commas between', () => {
  const cells = csvCells(placed(types.map(([type], i) => column(`c${i}`, type))), false)
  expect(cells.map(({ kind }) => kind)).toEqual(types.map(([, kind]) => kind))
  expect(cells.map(textOf)).toEqual(['', ...Array(types.length - 1).fill(',')])
  expect(csvCells(placed([column('c', 'whole')]), true).map(textOf)).toEqual([','])
})

test('JSON: names, an object, a list of values and levels', () => {
  const levels = { name: 'bids', list: 'levels' } as const
  const { cells, end } = jsonCells(
    placed([
      column('a"b', 'whole'),
      column('bid_price_1', { places: 7 }, levels),
      column('bid_size_1', { places: 6 }, levels),
      column('bid_price_2', { places: 7 }, levels),
      column('bid_size_2', { places: 6 }, levels),
      column('within_1', 'whole', { name: 'within', list: 'values' }),
      column('within_2', 'whole', { name: 'within', list: 'values' }),
      column('open', 'whole', { name: 'candle', key: 'open' }),
      column('close', 'whole', { name: 'candle', key: 'close' }),
    ]),
  )
  expect(cells.map(textOf)).toEqual([
    ...[',"a\\"b":', ',"bids":[', ',', ']', ',', ']', '],"within":[', ',', '],"candle":{"open":', ',"close":'],
  ])
  expect(end).toBe('}')
  const prices = cells.filter(({ kind }) => kind === LEVEL)
  expect(prices.map(({ opening, next }) => [textOf(opening), next])).toEqual([
    ['[', 6],
    [',[', 6],
  ])
})
