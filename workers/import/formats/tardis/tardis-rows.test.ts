// Rows of Tardis' files have the market of their symbol; invalid rows are rejected, other files are refused.

import { expect, test } from 'bun:test'
import { MemoryFile } from '../../../../test/support/archives/parquet-bytes.ts'
import { CollectedLines } from '../../../../test/support/import/collected-lines.ts'
import type { ArchiveOptions } from '../../archive.ts'
import { DECIMAL, type TardisRow, TardisRows, venueMsText } from './tardis-rows.ts'

const HEAD = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount'
const [US, LATER] = ['1786363200000007', '1786363200000120']
const MARKETS: Record<string, string | null | undefined> = { '17': '0xab', '18': null }

async function read(rows: string[], of: Partial<ArchiveOptions> = {}, head = HEAD) {
  const found: string[] = []
  const options = {
    markets: null,
    onMarket: (market: string) => void found.push(market),
    marketOf: async (token: string) => MARKETS[token],
    ...of,
  }
  const file = new MemoryFile(new TextEncoder().encode([head, ...rows, ''].join('\n')), 'a.csv')
  const [lines, taken] = [new CollectedLines(), [] as TardisRow[]]
  const reader = new TardisRows(file, options as ArchiveOptions, HEAD)
  await reader.read(
    lines,
    (row) => void taken.push(row),
    () => undefined,
  )
  return { taken, rejects: lines.rejects, rows: reader.rows, found }
}

test('tokens have the market that is known of them', async () => {
  const { taken, rows, found } = await read([`polymarket,17,${US},${LATER},a,buy,0.4,1`])
  const values = ['a', 'buy', '0.4', '1']
  expect(taken).toEqual([{ row: 2, market: '0xab', token: '17', venueUs: US, receivedUs: LATER, values }])
  expect([rows, found]).toEqual([1, ['0xab']])
})

test('markets that are not chosen are left out, rows that are not as the columns say are rejected', async () => {
  const unchosen = await read([`polymarket,18,${US},${LATER},a,buy,0.4,1`])
  expect([unchosen.taken, unchosen.rows, unchosen.found]).toEqual([[], 0, []])
  const wrong = [
    `polymarket,17,${US},${LATER},a,buy,0.4`,
    `polymarket,17,178,${LATER},a,buy,0.4,1`,
    `kalshi,17,${US},${LATER},a,buy,0.4,1`,
  ]
  const { rejects, rows } = await read([`polymarket,17,${US},${LATER},a,buy,0.4,1`, ...wrong])
  expect([rows, rejects.map(({ row, reason, source }) => [row, reason, source])]).toEqual([
    4,
    wrong.map((source, i) => [i + 3, 'the row does not match its columns', source]),
  ])
})

test.each([
  [`binance,BTC,${US},${LATER},a,buy,0.4,1`, 'a.csv has rows of the exchange "binance": only polymarket is accepted'],
  [
    `polymarket,YES,${US},${LATER},a,buy,0.4,1`,
    'a.csv has rows of the symbol "YES", which is not a token: tokens are decimal ids',
  ],
  [`polymarket,19,${US},${LATER},a,buy,0.4,1`, 'a.csv has rows of the token 19, and does not name its market.'],
])('%s is refused', async (row, why) => {
  await expect(read([row])).rejects.toThrow(why)
})

test('another first line, and none', async () => {
  await expect(read([], {}, 'a,b')).rejects.toThrow(`a.csv must begin with the line ${HEAD}, got "a,b"`)
  await expect(read([], {}, '')).rejects.toThrow(`a.csv is empty: its first line must be ${HEAD}`)
})

test('times in ms, and decimals', () => {
  expect(['1786363200000000', '1786363200120000', '1786363200000007'].map(venueMsText)).toEqual([
    ...['1786363200000', '1786363200120', '1786363200000.007'],
  ])
  expect(['0.4', '.5', '7', '1.', '', '-1', '1e2'].map((text) => DECIMAL.test(text))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})
