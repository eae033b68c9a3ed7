// A head has the exact number of trades and of traded contracts, for trades of any form, loaded in any pieces.

import { expect, test } from 'bun:test'
import { CONDITION, NOON, TICKER } from '../../model/lines.ts'
import { STORE_KINDS, withStoreOf } from '../../support/store.ts'

const kalshi = (msg: object) => ({ type: 'trade', sid: 2, seq: 9, msg: { market_ticker: TICKER, ts_ms: NOON, ...msg } })
const polymarket = (asset_id: string, size: string, price = '0.5') => {
  return { event_type: 'last_trade_price', market: CONDITION, asset_id, timestamp: String(NOON), price, size }
}
const ofNoBook = { event_type: 'last_trade_price', market: CONDITION, timestamp: String(NOON), price: '1', size: '2' }
const DATE = new Date(NOON).toISOString().slice(0, 10)

test.each(STORE_KINDS)('in a store on %s', (kind) =>
  withStoreOf(kind, async (store) => {
    const pieces = [
      [
        kalshi({ yes_price_dollars: '0.3100', count_fp: '1.88', trade_id: '1' }),
        kalshi({ yes_price: 48, count: 3, trade_id: '2' }),
        kalshi({ yes_price_dollars: 'none', count_fp: '100', trade_id: '3' }),
        kalshi({ yes_price_dollars: '0.3100', count_fp: 'none', trade_id: '4' }),
        kalshi({ yes_price_dollars: '1.3100', count_fp: '7', trade_id: '6' }),
        kalshi({ yes_price_dollars: '0.3100', count_fp: '-7', trade_id: '7' }),
      ],
      [polymarket('1', '216.216215'), polymarket('2', '0.000001'), polymarket('1', '5000000000')],
      [
        kalshi({ yes_price_dollars: '0.3200', count_fp: '2.00', trade_id: '5', ts_ms: NOON + 1 }),
        { ...ofNoBook, size: '0.5' },
      ],
      [polymarket('1', '4999999999.999999', '0.25'), polymarket('1', '0.000002', '0.75'), ofNoBook],
    ]
    for (const [index, lines] of pieces.entries()) {
      await store.loadLines(
        `${index}.ndjson`,
        lines.map((line) => JSON.stringify(line)),
      )
    }
    const volumes = async (venue: 'kalshi' | 'polymarket', market: string): Promise<unknown[]> =>
      (await store.store.catalogue.head({ venue, market, date: DATE }))!.books.map((book) => [
        book.id,
        book.tradeCount,
        book.tradeVolume,
      ])
    expect(await volumes('kalshi', TICKER)).toEqual([[TICKER, 3, '6880000']])
    expect(await volumes('polymarket', CONDITION)).toEqual([
      ['1', 4, '10000000216216216'],
      ['2', 1, '1'],
    ])
    const ofNone = async () =>
      (await store.store.catalogue.head({ venue: 'polymarket', market: CONDITION, date: DATE }))!.bookless
    expect(await ofNone()).toEqual({ tradeCount: 2, tradeVolume: '2500000' })
    const countsOfBlocks = async (venue: 'kalshi' | 'polymarket', market: string): Promise<unknown[]> =>
      (await store.store.catalogue.head({ venue, market, date: DATE }))!.blocks.map((block) => block.tradeCounts)
    expect(await countsOfBlocks('kalshi', TICKER)).toEqual([
      [0, 2],
      [0, 1],
    ])
    expect(await countsOfBlocks('polymarket', CONDITION)).toEqual([[0, 2, 1], [1], [1, 2]])
  }),
)
