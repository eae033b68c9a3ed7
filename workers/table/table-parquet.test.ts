// A table in Parquet is read back unchanged, in row groups of 16,384 rows.

import { expect, test } from 'bun:test'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { RowChunk } from '../../test/support/row-chunk.ts'
import { NULL, type Table } from './table.ts'
import { tableParquet } from './table-parquet.ts'

function tableOf(rowCount: number): Table {
  const chunk = new RowChunk(3, rowCount)
  chunk.rowCount = rowCount
  for (let row = 0; row < rowCount; row++) {
    chunk.timestampsMs[row] = row
    chunk.columns[0]![row] = row % 2
    chunk.columns[1]![row] = row === 1 ? NULL : 10 * row
    chunk.columns[2]![row] = row === 0 ? 1 : 0
  }
  return {
    ...{ constants: [{ name: 'market', text: 'KX' }], timestampUnit: 'ms', chunks: [chunk].values() },
    columns: [
      { name: 'side', type: { names: ['buy', 'sell'] }, isNullable: false },
      { name: 'price', type: { places: 1 }, isNullable: true },
      { name: 'is_first', type: 'flag', isNullable: false },
    ],
  }
}
const fileOf = (...args: Parameters<typeof tableParquet>) => {
  const bytes = Buffer.concat([...tableParquet(...args)])
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
}

test('values, nulls and metadata', async () => {
  const file = fileOf(tableOf(3), new Map([['k', 'v']]))
  expect(await parquetReadObjects({ file, compressors })).toEqual([
    { market: 'KX', timestamp: new Date(0), side: 'buy', price: 0, is_first: true },
    { market: 'KX', timestamp: new Date(1), side: 'sell', price: null, is_first: false },
    { market: 'KX', timestamp: new Date(2), side: 'buy', price: 2, is_first: false },
  ])
  expect(parquetMetadata(file).key_value_metadata).toContainEqual({ key: 'k', value: 'v' })
})

test('chosen columns, and row groups', () => {
  const { row_groups: groups, schema } = parquetMetadata(fileOf(tableOf(40_000), new Map(), { names: ['is_first'] }))
  expect(groups.map(({ num_rows: count }) => Number(count))).toEqual([16_384, 16_384, 7_232])
  expect(schema.slice(1).map(({ name }) => name)).toEqual(['is_first'])
})
