// Rows of many chunks are collected until a batch is full; constants and times are columns too.

import { expect, test } from 'bun:test'
import { RowChunk } from '../../test/support/row-chunk.ts'
import { chooseColumns } from './chosen-columns.ts'
import { RowBuffers } from './row-buffers.ts'
import type { Column } from './table.ts'

const columns: Column[] = [
  { name: 'a', type: 'double', isNullable: false },
  { name: 'b', type: 'double', isNullable: false },
]
const chunk = new RowChunk(2, 5)
chunk.rowCount = 5
for (let row = 0; row < 5; row++) {
  chunk.timestampsMs[row] = 100 + row
  chunk.columns[1]![row] = row
}

const rowsOf = (names?: string[]) =>
  new RowBuffers(chooseColumns({ constants: [{ name: 'm', text: 'KX', among: ['KA', 'KX'] }], columns }, names), 3)
const numbers = (rows: RowBuffers, column: number) => [
  ...new Float64Array(rows.columns[column]!.buffer.vector(rows.rowCount).buffers[1]!.slice().buffer),
]

test('as many rows as fit, then the rest', () => {
  const rows = rowsOf(['b'])
  expect(rows.columns.map(({ name, type }) => [name, type])).toEqual([['b', 'double']])
  expect([rows.add(chunk, 0), rows.rowCount, rows.isFull]).toEqual([3, 3, true])
  expect(numbers(rows, 0)).toEqual([0, 1, 2])
  rows.clear()
  expect([rows.add(chunk, 3), rows.rowCount, rows.isFull]).toEqual([5, 2, false])
  expect([rows.add(chunk, 0), rows.isFull]).toEqual([1, true])
  expect(numbers(rows, 0)).toEqual([3, 4, 0])
})

test('constants, times and columns in order', () => {
  const rows = rowsOf()
  expect(rows.columns.map(({ name }) => name)).toEqual(['m', 'timestamp', 'a', 'b'])
  rows.add(chunk, 0)
  expect([...rows.columns[0]!.buffer.vector(3).buffers[1]!]).toEqual([1, 1, 1])
  const times = rows.columns[1]!.buffer.vector(3).buffers[1]!
  expect([...new BigInt64Array(times.slice().buffer)]).toEqual([100n, 101n, 102n])
})
