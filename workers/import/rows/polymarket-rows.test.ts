// Rows of a Polymarket archive are printed as messages of its market channel, with exactly the values of the row.

import { expect, test } from 'bun:test'
import { CONDITION } from '../../../test/model/lines.ts'
import { CollectedLines } from '../../../test/support/import/collected-lines.ts'
import type { ArchiveOptions } from '../archive.ts'
import { PolymarketRows } from './polymarket-rows.ts'

function printed(run: (rows: PolymarketRows) => void) {
  const lines = new CollectedLines()
  const options = { onMarket: () => undefined, repairs: new Set() } as unknown as ArchiveOptions
  const rows = new PolymarketRows(lines, options, { price: 4, size: 6 })
  rows.begin(CONDITION)
  run(rows)
  return lines.all.map((line) => JSON.parse(line.replace(/^\d+: /, '')) as { recv_ms?: number; msg: object })
}
const place = (of = {}) => ({ row: 1, token: '17', receivedMs: 20, venueMs: 10, ...of })
const common = { market: CONDITION, asset_id: '17', timestamp: '10' }

test('a book, the best level last', () => {
  const [book] = printed((rows) =>
    rows.book(place(), { prices: [4_000, 4_800], sizes: [5_000_000, 1] }, { prices: [], sizes: [] }),
  )
  expect(book).toEqual({
    recv_ms: 20,
    msg: {
      ...common,
      bids: [
        { price: '0.4', size: '5' },
        { price: '0.48', size: '0.000001' },
      ],
      asks: [],
      event_type: 'book',
    },
  })
})

test('a trade with all of its values, and one with only price and size', () => {
  const trade = { price: 4_800, size: 2_500_000, side: 'SELL', feeBps: 30, transaction: Buffer.from('0xab') } as const
  const [whole, bare] = printed((rows) => {
    rows.trade(place(), trade)
    rows.trade(place(), { ...trade, side: null, feeBps: Number.NaN, transaction: new Uint8Array(0) })
  })
  const least = { ...common, price: '0.48', size: '2.5', event_type: 'last_trade_price' }
  expect(whole!.msg).toEqual({ ...least, side: 'SELL', fee_rate_bps: '30', transaction_hash: '0xab' })
  expect(bare!.msg).toEqual(least)
})

test('a change, with and without the venue’s best prices', () => {
  const [one, other] = printed((rows) => {
    rows.change(place(), { side: 'BUY', price: 4_800, size: 0, bestBid: 4_700, bestAsk: 5_000 })
    rows.change(place({ token: '18' }), {
      side: 'SELL',
      price: 5_000,
      size: 1_000_000,
      bestBid: Number.NaN,
      bestAsk: Number.NaN,
    })
  })
  const { market, timestamp } = common
  expect(one!.msg).toEqual({
    ...{ market, timestamp, event_type: 'price_change' },
    price_changes: [{ asset_id: '17', price: '0.48', size: '0', side: 'BUY', best_bid: '0.47', best_ask: '0.5' }],
  })
  expect(other!.msg).toMatchObject({ price_changes: [{ asset_id: '18', price: '0.5', size: '1', side: 'SELL' }] })
  expect(JSON.stringify(other)).not.toContain('best_bid')
})
