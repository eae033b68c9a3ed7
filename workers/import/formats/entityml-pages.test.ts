// Pages of raw records become lines. A record that two consecutive pages share becomes one line.

import { expect, test } from 'bun:test'
import { MemoryFile } from '../../../test/support/archives/parquet-bytes.ts'
import { CollectedLines } from '../../../test/support/import/collected-lines.ts'
import type { ArchiveOptions } from '../archive.ts'
import { entitymlPages } from './entityml-pages.ts'

async function read(...pages: unknown[]) {
  const file = new MemoryFile(new TextEncoder().encode(pages.map((page) => JSON.stringify(page)).join('\n')), 'a.json')
  const options = { markets: null, after: null, onMarket: () => undefined } as unknown as ArchiveOptions
  const lines = new CollectedLines()
  let rows = 0
  for await (const part of entitymlPages.open(file, options)) rows += (await part.read(lines, () => undefined)).rows
  return { lines: lines.all, rejects: lines.rejects.map(({ row, reason }) => `${row} ${reason}`), rows }
}
const record = (n: number) => ({ type: 'delta', n })
const page = (market: string, ...data: unknown[]) => ({ market_ticker: market, data })

test('records that end a page and begin the next are read once, market by market', async () => {
  const { lines, rows } = await read(
    page('KX', record(1), record(2), record(2)),
    page('KY', record(2)),
    page('KX', record(2), record(2), record(3)),
    page('KX', record(9), record(3)),
  )
  expect(lines).toEqual([
    '1: {"type":"delta","n":1}',
    '1: {"type":"delta","n":2}',
    '1: {"type":"delta","n":2}',
    '2: {"type":"delta","n":2}',
    '3: {"type":"delta","n":3}',
    '4: {"type":"delta","n":9}',
    '4: {"type":"delta","n":3}',
  ])
  expect(rows).toBe(7)
})

test('a gap gets the market of its page, if it has none', async () => {
  const gap = { type: 'gap', msg: {} }
  const { lines } = await read({ market_condition_id: '0xab', data: [gap, { ...gap, ticker: 'KX' }] })
  expect(lines).toEqual(['1: {"type":"gap","msg":{},"market":"0xab"}', '1: {"type":"gap","msg":{},"ticker":"KX"}'])
})

test('a line that is not a page is rejected', async () => {
  const { lines, rejects, rows } = await read({ data: [] }, { market_ticker: 'KX', data: {} }, page('KX', record(1)))
  const why = 'the value must be a page, with its market and records under data'
  expect([rejects, lines.length, rows]).toEqual([[`1 ${why}`, `2 ${why}`], 1, 3])
})
