// Rows of Jon Becker's data set become trades in the form of Kalshi's API, or are rejected with the reason.

import { expect, test } from 'bun:test'
import { MemoryFile } from '../../../test/support/archives/parquet-bytes.ts'
import { CollectedLines } from '../../../test/support/import/collected-lines.ts'
import type { ArchiveOptions } from '../archive.ts'
import { jonBeckerTrades } from './jon-becker-trades.ts'

const HEAD = 'trade_id,ticker,count,yes_price,no_price,taker_side,created_time'

async function read(...rows: string[]) {
  const file = new MemoryFile(new TextEncoder().encode(`${rows.join('\r\n')}\r\n`), 'a.csv')
  const options = { markets: null, after: null, onMarket: () => undefined } as unknown as ArchiveOptions
  const lines = new CollectedLines()
  for await (const part of jonBeckerTrades.open(file, options)) await part.read(lines, () => undefined)
  return lines
}

test('whole cents and contracts, as the API prints them', async () => {
  const { all } = await read(
    HEAD,
    'a,kx-1,7,48,52,yes,2026-03-02 12:00:00.12',
    'b,KX-1,1,100,0,,2026-03-02T12:00:01Z',
    'c,KX-1,1,5,95,no,2026-03-02T12:00:02Z',
  )
  expect(all.map((line) => JSON.parse(line.slice(3)))).toEqual(
    [
      {
        trade_id: 'a',
        ticker: 'kx-1',
        count_fp: '7.00',
        yes_price_dollars: '0.4800',
        no_price_dollars: '0.5200',
        taker_side: 'yes',
        created_time: '2026-03-02T12:00:00.12Z',
      },
      {
        trade_id: 'b',
        ticker: 'KX-1',
        count_fp: '1.00',
        yes_price_dollars: '1.0000',
        no_price_dollars: '0.0000',
        created_time: '2026-03-02T12:00:01Z',
      },
      {
        trade_id: 'c',
        ticker: 'KX-1',
        count_fp: '1.00',
        yes_price_dollars: '0.0500',
        no_price_dollars: '0.9500',
        taker_side: 'no',
        created_time: '2026-03-02T12:00:02Z',
      },
    ].map((msg) => ({ type: 'trade', ticker: 'KX-1', msg })),
  )
})

test.each([
  ['the row has no trade_id', ',KX,7,48,52,yes,2026-03-02T12:00:00Z'],
  ['the row names no ticker', 'a,K X,7,48,52,yes,2026-03-02T12:00:00Z'],
  ['created_time must be a time', 'a,KX,7,48,52,yes,noon'],
  ['taker_side is neither yes nor no', 'a,KX,7,48,52,YES,2026-03-02T12:00:00Z'],
  ['count must be a whole number of contracts above 0', 'a,KX,0,48,52,yes,2026-03-02T12:00:00Z'],
  ['yes_price and no_price must be whole numbers of cents', 'a,KX,7,4.8,52,yes,2026-03-02T12:00:00Z'],
  ['yes_price and no_price must add up to 100 cents: one was cut', 'a,KX,7,28,71,yes,2026-03-02T12:00:00Z'],
])('%s', async (reason, row) => {
  const { all, rejects } = await read(HEAD, row)
  expect([all, rejects.map((reject) => [reject.row, reject.reason])]).toEqual([[], [[2, reason]]])
})

test('columns in any order; a missing one and an empty file are refused', async () => {
  const { all } = await read(
    'created_time,taker_side,no_price,yes_price,count,ticker,trade_id',
    '2026-03-02T12:00:00Z,no,52,48,7,KX,a',
  )
  expect(all).toHaveLength(1)
  await expect(read('trade_id,ticker')).rejects.toThrow('a.csv has no column taker_side')
  await expect(read('')).rejects.toThrow('a.csv is empty: its first line names trade_id, ticker')
})
