// A table in Arrow is read back unchanged, in batches. A part of an answer has no schema or end of its own.

import { expect, test } from 'bun:test'
import { tableFromIPC } from '@uwdata/flechette'
import { RowChunk } from '../../test/support/row-chunk.ts'
import { END_OF_STREAM } from '../arrow/arrow-stream.ts'
import { NULL, type Table } from './table.ts'
import { tableArrow } from './table-arrow.ts'

function tableOf(rowCount: number): Table {
  const chunk = new RowChunk(2, rowCount)
  chunk.rowCount = rowCount
  for (let row = 0; row < rowCount; row++) {
    chunk.timestampsMs[row] = row
    chunk.columns[0]![row] = row % 2
    chunk.columns[1]![row] = row === 1 ? NULL : 10 * row
  }
  return {
    ...{ constants: [{ name: 'market', text: 'KX' }], timestampUnit: 'ms', chunks: [chunk].values() },
    columns: [
      { name: 'side', type: { names: ['buy', 'sell'] }, isNullable: false },
      { name: 'price', type: { places: 1 }, isNullable: true },
    ],
  }
}

test('values, nulls and metadata', () => {
  const table = tableFromIPC(Buffer.concat([...tableArrow(tableOf(3), new Map([['k', 'v']]))]))
  expect(table.toArray().map((row) => ({ ...row }))).toEqual([
    { market: 'KX', timestamp: 0, side: 'buy', price: 0 },
    { market: 'KX', timestamp: 1, side: 'sell', price: null },
    { market: 'KX', timestamp: 2, side: 'buy', price: 2 },
  ])
  expect(table.schema.metadata?.get('k')).toBe('v')
  const some = tableFromIPC(Buffer.concat([...tableArrow(tableOf(3), new Map(), { names: ['price'] })]))
  expect(some.schema.fields.map(({ name }) => name)).toEqual(['price'])
})

test('a batch for each 512 KB', () => {
  const pieces = [...tableArrow(tableOf(50_000), new Map())]
  expect(pieces.length).toBe(Math.ceil(50_000 / Math.floor((512 * 1_024) / 24)))
  expect(tableFromIPC(Buffer.concat(pieces)).numRows).toBe(50_000)
})

test('parts: the first has the schema, none has the end', () => {
  const parts = [true, false].map((isFirst) => {
    return Buffer.concat([...tableArrow(tableOf(2), new Map(), { part: { isFirst, texts: {} } })])
  })
  const whole = tableFromIPC(Buffer.concat([...parts, Uint8Array.from(END_OF_STREAM)]))
  expect(whole.getChild('timestamp').toArray().length).toBe(4)
  expect(parts[0]!.length).toBeGreaterThan(parts[1]!.length)
})
