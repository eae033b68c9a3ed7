// Books as text are compared with the venue's hashes, separately from the books of a replay.

import { expect, test } from 'bun:test'
import { type PrintedLevel, polymarketBookHash } from '../venues/polymarket/book-hash.ts'
import { HashedMarket, type HashedRecord } from './hashed-market.ts'

const MARKET = `0x${'5c'.repeat(32)}`
const key = { venue: 'polymarket', market: MARKET, date: '2026-08-10' } as const
const printed = (levels: PrintedLevel[]) => levels.map(([price, size]) => ({ price, size }))
const hashOf = (ms: number, bids: PrintedLevel[], asks: PrintedLevel[]) =>
  polymarketBookHash({ market: MARKET, assetId: 'A', timestamp: String(ms), bids, asks })

const record = (type: 'snapshot' | 'delta' | 'gap', timestamp: number, msg: object): HashedRecord => ({
  ...{ type, timestamp, asset_id: type === 'gap' ? null : 'A' },
  msg: { market: MARKET, timestamp: String(timestamp), ...msg },
})
const snapshot = (ms: number, bids: PrintedLevel[], hash: string) =>
  record('snapshot', ms, { bids: printed(bids), asks: [], hash })
const change = (ms: number, price: string, size: string, hash: string) =>
  record('delta', ms, { price_changes: [{ asset_id: 'A', price, size, side: 'BUY', hash }] })

function found(...records: HashedRecord[]) {
  const market = new HashedMarket(MARKET)
  for (const each of records) market.add(key, each)
  const { agree, notCheckable, disagreements } = market.finish()
  return [agree, notCheckable, disagreements.map(({ timestamp }) => timestamp)]
}
const BIDS: PrintedLevel[] = [
  ['0.3', '5'],
  ['0.4', '10'],
]
const first = snapshot(1_000, BIDS, hashOf(1_000, BIDS, []))

test('a snapshot, and changes that add and remove levels', () =>
  expect(
    found(
      first,
      change(
        2_000,
        '0.35',
        '7',
        hashOf(
          2_000,
          [
            ['0.3', '5'],
            ['0.35', '7'],
            ['0.4', '10'],
          ],
          [],
        ),
      ),
      change(
        3_000,
        '0.4',
        '0',
        hashOf(
          3_000,
          [
            ['0.3', '5'],
            ['0.35', '7'],
          ],
          [],
        ),
      ),
    ),
  ).toEqual([3, 0, []]))

test('of a batch only the book after its last message has the hash', () => {
  const hash = hashOf(
    2_000,
    [
      ['0.3', '5'],
      ['0.35', '7'],
      ['0.4', '11'],
    ],
    [],
  )
  expect(found(first, change(2_000, '0.35', '7', hash), change(2_000, '0.4', '11', hash))).toEqual([2, 1, []])
})

test('without a book nothing can be checked: before a snapshot, and after a gap', () => {
  const wrong = 'a'.repeat(40)
  expect(found(change(500, '0.4', '1', wrong), first)).toEqual([1, 1, []])
  expect(found(first, record('gap', 1_500, {}), change(2_000, '0.4', '1', wrong))).toEqual([1, 1, []])
})

test('a hash that is not of the book is a disagreement once its recipe is known', () => {
  const [agree, , times] = found(
    first,
    change(2_000, '0.35', '7', 'b'.repeat(40)),
    change(9_000, '0.36', '7', 'c'.repeat(40)),
  )
  expect([agree, times]).toEqual([1, [2_000, 9_000]])
})
