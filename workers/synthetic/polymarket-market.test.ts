// Tests the messages of one Polymarket market, key by key.

import { expect, test } from 'bun:test'
import { MarketModel } from './market-model.ts'
import { polymarketEventPlan } from './polymarket-event.ts'
import { PolymarketMarket } from './polymarket-market.ts'
import { Random } from './random.ts'

const SHAPE = { tickMilli: 10, halfSpreadMilli: 4, levelsMin: 2, levelsMax: 4, lotCenti: 100 }
const plan = polymarketEventPlan('2026-07-20', 1).markets[1]!
const [yes, no] = plan.assetIds

function newMarket() {
  const random = new Random(1, 'market')
  return new PolymarketMarket(random, plan, new MarketModel(random, SHAPE, 500), 1_000)
}

test('PolymarketMarket opens with a book that has the tick size and the last trade', () => {
  const book = JSON.parse(newMarket().openingBook(0))
  expect(Object.keys(book)).toEqual([
    'market',
    'asset_id',
    'timestamp',
    'hash',
    'bids',
    'asks',
    'tick_size',
    'event_type',
    'last_trade_price',
  ])
  expect(book).toMatchObject({ asset_id: yes, timestamp: '1000', tick_size: '0.01', last_trade_price: '0.510' })
  expect([book.bids.at(-1).price, book.asks.at(-1).price]).toEqual(['0.49', '0.51'])
})

test('PolymarketMarket sends a change for both tokens, with the book after the whole message', () => {
  const market = newMarket()
  const all = market.model.yes.sizeCenti(490)
  const changes = [
    { side: 'yes', priceMilli: 490, deltaCenti: -all },
    { side: 'yes', priceMilli: 480, deltaCenti: 12_345 },
  ] as const
  for (const { side, priceMilli, deltaCenti } of changes) market.model[side].add(priceMilli, deltaCenti)
  const message = JSON.parse(market.priceChange([...changes], 2_000))
  expect(Object.keys(message)).toEqual(['market', 'price_changes', 'timestamp', 'event_type'])
  const size = String(market.model.yes.sizeCenti(480) / 100)
  for (const [token, price, zeroPrice, side, bid, ask] of [
    [yes, '0.48', '0.49', 'BUY', '0.48', '0.51'],
    [no, '0.52', '0.51', 'SELL', '0.49', '0.52'],
  ]) {
    const own = message.price_changes.filter((entry: { asset_id: string }) => entry.asset_id === token)
    const rest = { asset_id: token, side, hash: own[0].hash, best_bid: bid, best_ask: ask }
    expect(own).toEqual([
      { ...rest, price: zeroPrice, size: '0' },
      { ...rest, price, size },
    ])
  }
})

test('PolymarketMarket sends the book again after a trade, with the hash of the change', () => {
  const market = newMarket()
  market.model.no.add(490, -1)
  const change = JSON.parse(market.priceChange([{ side: 'no', priceMilli: 490, deltaCenti: -1 }], 2_000))
  const book = JSON.parse(market.tradedBook(0))
  expect(Object.keys(book)).toEqual(['market', 'asset_id', 'bids', 'asks', 'hash', 'timestamp', 'event_type'])
  const [entry] = change.price_changes.filter((each: { asset_id: string }) => each.asset_id === yes)
  expect([book.hash, book.timestamp]).toEqual([entry.hash, '2000'])
  const fill = { side: 'no', priceMilli: 490, sizeCenti: 1 } as const
  expect(JSON.parse(market.trade(0, fill, 2_100, '0x1'))).toMatchObject({ asset_id: yes, price: '0.51', side: 'BUY' })
  expect(JSON.parse(market.trade(1, fill, 2_100, '0x1'))).toMatchObject({ asset_id: no, price: '0.49', side: 'SELL' })
  expect(JSON.parse(market.openingBook(0)).last_trade_price).toBe('0.490')
})

test('PolymarketMarket sends a finer tick to both tokens', () => {
  const messages = newMarket().refineTick(1, 3_000)
  expect(messages.map((message) => JSON.parse(message))).toEqual(
    plan.assetIds.map((asset_id) => ({
      market: plan.conditionId,
      asset_id,
      old_tick_size: '0.01',
      new_tick_size: '0.001',
      timestamp: '3000',
      event_type: 'tick_size_change',
    })),
  )
})
