// Rows of a catalog's file have their times and come in groups. A file without rows is left out.

import { expect, test } from 'bun:test'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { MemoryNewFile } from '../../../test/support/export/memory-file.ts'
import { GROUP_ROWS } from '../../parquet/plain-columns.ts'
import { CatalogRows } from './catalog-rows.ts'
import { TRADE_COLUMNS } from './catalog-schema.ts'

test('values of every kind, and the first and last time', async () => {
  const file = new MemoryNewFile()
  const rows = new CatalogRows(TRADE_COLUMNS, 16, file)
  const count = GROUP_ROWS + 2
  for (let i = 0; i < count; i++) {
    const row = rows.next(100 + i, 200 + i)
    rows.columns.price.setMicros(row, i)
    rows.columns.size.setMicros(row, 2 * i)
    rows.columns.aggressor_side.values[row] = i % 3
    rows.columns.trade_id.add(`t${i}`)
  }
  expect([rows.rowCount, rows.firstInitUs, rows.lastInitUs]).toEqual([count, 200, 199 + count])
  rows.finish('x.parquet', new Map([['k', 'v']]))
  expect([file.path, file.rows]).toEqual(['x.parquet', count])
  const { row_groups: groups, key_value_metadata: pairs } = parquetMetadata(file.bytes.buffer)
  expect(groups.map(({ num_rows: each }) => Number(each))).toEqual([GROUP_ROWS, 2])
  expect(pairs?.map(({ key }) => key)).toEqual(['k', 'ARROW:schema'])
  const all = await parquetReadObjects({ file: file.bytes.buffer, compressors })
  const last = all.at(-1)!
  expect([last['trade_id'], last['aggressor_side'], Number(last['ts_event']), Number(last['ts_init'])]).toEqual([
    ...[`t${count - 1}`, (count - 1) % 3, 1_000 * (99 + count), 1_000 * (199 + count)],
  ])
})

test('no rows, no file', () => {
  const file = new MemoryNewFile()
  new CatalogRows(TRADE_COLUMNS, 8, file).finish('x.parquet', new Map())
  expect([file.isAborted, file.path]).toEqual([true, undefined])
})
