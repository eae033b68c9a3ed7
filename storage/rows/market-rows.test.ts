// Rows of markets and days are read back as they were stored, only under their own keys, and only as a whole.

import { expect, test } from 'bun:test'
import { HEAD } from '../../test/support/made-markets.ts'
import { NO_SUMS } from '../finding/day-totals.ts'
import { sealHead } from '../sealed/stored-parts.ts'
import { dateKey, dayKey, entryKey, sumsKey } from './keys.ts'
import {
  amountIn,
  headIn,
  NO_MARKET,
  openCounts,
  openMarket,
  openSums,
  packDay,
  parseCounts,
  sealCounts,
  sealMarket,
  sealSums,
  unpackDay,
} from './market-rows.ts'

const DAY = { venue: 'kalshi', market: 'KXA', date: '2026-08-10' } as const
const ENTRY = entryKey('kalshi', 'KXA')
const MARKET = {
  ...{ firstDate: '2026-08-01', lastDate: '2026-08-10', dateCount: 3, recordCount: 9_007_199_254_740_991 },
  ...{ revision: 12, base: 7, moves: 2 },
}

test('an entry is read as it was stored; without an entry the market has no days', () => {
  expect(openMarket(ENTRY, sealMarket(ENTRY, MARKET))).toEqual(MARKET)
  expect(openMarket(ENTRY, undefined)).toEqual(NO_MARKET)
  expect(() => openMarket(entryKey('kalshi', 'KXB'), sealMarket(ENTRY, MARKET))).toThrow(
    'entry of the kalshi market KXB',
  )
})

test('a day has its head and its placement, and neither can be exchanged', () => {
  const head = sealHead(DAY, HEAD)
  const placement = new Uint8Array(20).fill(3)
  const bytes = packDay({ head, placement })
  const read = unpackDay(DAY, bytes)
  expect([new Uint8Array(read.head), new Uint8Array(read.placement)]).toEqual([new Uint8Array(head), placement])
  expect(headIn(DAY, bytes)).toEqual(HEAD)
  const other = packDay({ head, placement: new Uint8Array(20).fill(4) })
  // The first bytes show which head and placement belong together.
  expect(() => unpackDay(DAY, Buffer.concat([bytes.subarray(0, 8), other.subarray(8)]))).toThrow(
    '2026-08-10 is damaged',
  )
  expect(() => unpackDay(DAY, bytes.subarray(0, 9))).toThrow('2026-08-10 is damaged (head)')
  expect(() => headIn({ ...DAY, date: '2026-08-11' }, bytes)).toThrow('2026-08-11 is damaged (head)')
  expect(dayKey(DAY)).toContain('KXA')
})

test('counts of a day hold large volumes, and one count can be read alone', () => {
  const key = dateKey(DAY)
  const volume = 12_345_678_901_234_567_890n
  const text = openCounts(key, sealCounts(key, { ...NO_SUMS, records: 5, trades: 3, volume, gaps: 1, gapMs: 1_500 }))
  expect(parseCounts(text)).toEqual({ records: 5, trades: 3, volume, gaps: 1, gapMs: 1_500 })
  expect([amountIn(text, 'records'), amountIn(text, 'trades'), amountIn(text, 'volume')]).toEqual([
    5,
    3,
    Number(volume),
  ])
})

test('sums of a date are read as they were stored', () => {
  const key = sumsKey('kalshi', '2026-08-10', '0')
  const sums = { ...NO_SUMS, markets: 2, records: 10, volume: 2n ** 70n }
  expect(openSums(key, sealSums(key, sums))).toEqual(sums)
  expect(openSums(key, undefined)).toEqual(NO_SUMS)
})
