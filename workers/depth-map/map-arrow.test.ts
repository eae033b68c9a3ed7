// A depth map in Arrow has a row for each price with a list of its sizes.

import { expect, test } from 'bun:test'
import { tableFromIPC } from '@uwdata/flechette'
import { mapArrow } from './map-arrow.ts'

const rowsOf = (count: number, columns: number) =>
  Array.from({ length: count }, (_, i) => ({ price: 10_000 * i, sizes: new Float32Array(columns).fill(i) }))
const read = (...args: Parameters<typeof mapArrow>) => {
  const pieces = [...mapArrow(...args)]
  return { pieces, table: tableFromIPC(Buffer.concat(pieces)) }
}

test('prices in dollars, sizes, and metadata', () => {
  const { table } = read({ columns: 3, known: [], rows: rowsOf(2, 3) }, new Map([['k', 'v']]))
  expect([...table.getChild('price')]).toEqual([0, 0.01])
  expect([...table.getChild('sizes')].map((sizes) => [...(sizes as Float32Array)])).toEqual([
    [0, 0, 0],
    [1, 1, 1],
  ])
  expect(table.schema.metadata?.get('k')).toBe('v')
})

test('chosen columns, no rows, and a batch for each 512 KB', () => {
  expect(read({ columns: 3, known: [], rows: rowsOf(2, 3) }, new Map(), ['price']).table.schema.fields).toHaveLength(1)
  expect(read({ columns: 3, known: [], rows: [] }, new Map()).table.numRows).toBe(0)
  const { pieces, table } = read({ columns: 50_000, known: [], rows: rowsOf(5, 50_000) }, new Map())
  expect([pieces.length, table.numRows]).toEqual([4, 5])
})
