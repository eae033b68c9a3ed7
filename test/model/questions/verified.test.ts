// Tests whether the venue's own hash agrees with the book, on the smallest capture that shows each rule, and on real
// captures.

import { describe, expect, test } from 'bun:test'
import { hasCaptures, capture as realCapture } from '../../support/captures.ts'
import { book, CONDITION, capture, DAY, NOON, priceChange } from '../lines.ts'
import { loadCaptures } from '../model.ts'
import * as made from './made-lines.ts'
import { modelAsk } from './model-ask.ts'

const { askPolymarket, at } = made

describe('verified', () => {
  const sha1 = (text: string) => Bun.SHA1.hash(text, 'hex')
  const levels = (bids: string, asks: string, ms: number) =>
    `{"market":"${CONDITION}","asset_id":"A","timestamp":"${NOON + ms}","hash":"","bids":[${bids}],"asks":[${asks}]`
  const before = levels('{"price":"0.3","size":"5"},{"price":"0.4","size":"10"}', '{"price":"0.6","size":"7.5"}', 0)
  const snapshot = (hash: string, more = {}) => ({
    ...book(
      0,
      [
        ['0.4', '10'],
        ['0.3', '5'],
      ],
      [['0.6', '7.5']],
    ),
    hash,
    ...more,
  })
  const verified = async (texts: string[], ms = 0) => (await askPolymarket(texts, 'book', at(ms)))['verified']

  test('by the oldest recipe: the levels alone, bids ascending', async () => {
    expect(await verified([capture(snapshot(sha1(`${before}}`)))])).toBe(true)
    expect(await verified([capture(snapshot(sha1(`${before}}`)), made.polymarketFill(3, '0.4', '1', 'BUY'))], 3)).toBe(
      true,
    )
  })
  test('by the present recipe: with the tick size and the last trade of the market', async () => {
    const present = (lastTrade: string) =>
      sha1(`${before},"min_order_size":"5","tick_size":"0.01","neg_risk":true,"last_trade_price":"${lastTrade}"}`)
    const known = { tick_size: '0.01', last_trade_price: '0.600' }
    expect(await verified([capture(snapshot(present('0.600'), known))])).toBe(true)
    expect(await verified([capture(snapshot(present('0.610'), known))])).toBe(false)
    const trade = (ms: number) => ({ ...made.polymarketFill(ms, '0.61', '1', 'BUY'), asset_id: 'B' })
    const withoutTradePrice = snapshot(present('0.610'))
    expect(await verified([capture(trade(-5), withoutTradePrice)])).toBe(true)
    // The venue sends a trade after the book that results from it.
    expect(await verified([capture(withoutTradePrice, trade(1_000))])).toBe(true)
    expect(await verified([capture(withoutTradePrice, trade(1_001))])).toBeNull()
    // A trade may be of the other token, at one minus the price.
    expect(await verified([capture(snapshot(present('0.390')), trade(1_000))])).toBe(true)
  })
  test('is false if no trade can be missing: both tokens are recorded, and a second has passed', async () => {
    const wrong = snapshot('ab'.repeat(20))
    const trade = (ms: number) => made.polymarketFill(ms, '0.61', '1', 'BUY')
    const other = book(0, [], [], 'B')
    expect(await verified([capture(trade(-5), other, wrong, trade(1_001))])).toBe(false)
    expect(await verified([capture(trade(-5), other, wrong, trade(1_000))])).toBeNull()
    expect(await verified([capture(trade(-5), wrong, trade(1_001))])).toBeNull()
    expect(await verified([capture(other, wrong, trade(1_001))])).toBeNull()
  })
  test('by the recipe of autumn 2025: with the tick size, without a trade', async () => {
    const autumn = sha1(`${before},"min_order_size":"5","tick_size":"0.01","neg_risk":true}`)
    expect(await verified([capture(snapshot(autumn))])).toBe(true)
    expect(await verified([capture(snapshot(autumn, { tick_size: '0.001' }))])).toBeNull()
  })
  test('is true without a snapshot if the book is whole', async () => {
    const change = { price: '0.4', size: '1', hash: sha1(`${levels('{"price":"0.4","size":"1"}', '', 0)}}`) }
    expect(await verified([capture(priceChange(0, change))])).toBe(true)
  })
  test('is null if the hash cannot be checked', async () => {
    // The first book has no hash. The second has a hash of the present recipe, but its last trade is unknown.
    expect(await verified([capture(book(0, [['0.4', '1']], []))])).toBeNull()
    expect(await verified([capture(snapshot('ab'.repeat(20), { tick_size: '0.01' }))])).toBeNull()
    const change = { price: '0.4', size: '1' }
    expect(await verified([capture(priceChange(0, { ...change, hash: 'ab'.repeat(20) }))])).toBeNull()
    expect(await verified([capture(snapshot(sha1(`${before}}`)), made.polymarketGap(4))], 4)).toBeNull()
  })
  test('checks a batch of two messages only after the second', async () => {
    const after = levels('{"price":"0.4","size":"10"}', '{"price":"0.59","size":"1"},{"price":"0.58","size":"2"}', 9)
    const hash = sha1(`${after}}`)
    const first = priceChange(
      9,
      { price: '0.3', size: '0', hash: 'ab'.repeat(20) },
      { price: '0.6', size: '0', side: 'SELL', hash },
    )
    const second = priceChange(
      9,
      ...[
        { price: '0.59', size: '1' },
        { price: '0.58', size: '2.0' },
      ].map((entry) => ({ ...entry, side: 'SELL', hash })),
    )
    const text = [capture(snapshot(sha1(`${before}}`)), first, second)]
    const atPlace = async (record: string) => (await askPolymarket(text, 'book', { date: DAY, record }))['verified']
    expect([await atPlace('0'), await atPlace('1'), await atPlace('2')]).toEqual([true, null, true])
  })
})

describe.skipIf(!hasCaptures)('on real captures', () => {
  test.each([
    ['polymarket/fed-no-change-2026-07-20.ndjson', { true: 27, null: 24 }],
    ['polymarket/books-2024-12-22.ndjson', { true: 11 }],
    ['archives/rest-books-2026-07-23/polymarket.ndjson', { true: 100 }],
  ])('%s: every state of an established book agrees', async (path, expected) => {
    const model = loadCaptures([realCapture(path)], Date.parse('2026-11-01'))
    const ask = modelAsk(model, Date.parse('2026-11-01'))
    const counts: Record<string, number> = {}
    for (const market of model.markets('polymarket')) {
      for (const date of model.dates('polymarket', market)) {
        for (const [record, head] of model.records('polymarket', market, date).entries()) {
          const asset = 'asset_id' in head ? String(head.asset_id) : ''
          const query = { condition_id: market, asset_id: asset, date, record: String(record) }
          const { verified } = await ask('/polymarket/market/book', query)
          counts[String(verified)] = (counts[String(verified)] ?? 0) + 1
        }
      }
    }
    expect(counts).toEqual(expected)
  })
})
