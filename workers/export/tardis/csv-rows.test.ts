// Tests rows of Tardis: a header, the names and times of each row, and values without quotes.

import { expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { MemoryNewFile } from '../../../test/support/export/memory-file.ts'
import { CsvRows, word } from './csv-rows.ts'

test('numbers, words, nothing, and times to the microsecond', () => {
  const file = new MemoryNewFile()
  const rows = new CsvRows(file, 'exchange,symbol,timestamp,local_timestamp,a,b,c', 'kalshi', 'KX,1')
  rows.begin(1_786_363_200_000_007, 1_786_363_200_000_120).micros(480_000).word(word('bid')).empty().end()
  rows.begin(1_786_363_200_999_999, 1_786_363_201_000_000).micros(7_000_000).micros(1).micros(0).end()
  expect(rows.rowCount).toBe(2)
  rows.finish('x.csv.gz')
  expect([file.path, file.rows]).toEqual(['x.csv.gz', 2])
  expect(gunzipSync(file.bytes).toString()).toBe(
    'exchange,symbol,timestamp,local_timestamp,a,b,c\n' +
      'kalshi,"KX,1",1786363200000007,1786363200000120,0.48,bid,\n' +
      'kalshi,"KX,1",1786363200999999,1786363201000000,7,0.000001,0\n',
  )
})

test('an aborted file is not finished', () => {
  const file = new MemoryNewFile()
  new CsvRows(file, 'h', 'kalshi', 'KX').abort()
  expect(file.isAborted).toBe(true)
})
