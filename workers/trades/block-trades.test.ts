// Goal: a block returns its trades in whatever form the venue printed them, and nothing that is not a trade.

import { expect, test } from 'bun:test'
import { blockPart } from '../../storage/block-store.ts'
import { type Block, decodeBlock } from '../../storage/format/block.ts'
import { CONDITION, NOON, TICKER } from '../../test/model/lines.ts'
import { withStore } from '../../test/support/store.ts'
import { NULL } from '../table/table.ts'
import { ALL_TRADES, SIDES, type TradesWanted, tradeAt, tradeIds, tradesIn } from './block-trades.ts'

const DATE = new Date(NOON).toISOString().slice(0, 10)
const utf8 = new TextDecoder()

/** Loads a capture of one market, and checks its only block. */
function blockOf(venue: 'kalshi' | 'polymarket', messages: object[], check: (block: Block) => void): Promise<void> {
  return withStore(async (store) => {
    await store.loadLines(
      'capture.ndjson',
      messages.map((message) => JSON.stringify(message)),
    )
    const key = { venue, market: venue === 'kalshi' ? TICKER : CONDITION, date: DATE }
    const { blocks } = (await store.store.catalogue.head(key))!
    expect(blocks).toHaveLength(1)
    const part = blockPart(blocks[0]!.id)
    const parts = await store.store.blocks.fetch([{ key, ...part }])
    check(decodeBlock(parts.bytes(key, part)))
  })
}

/** Prints `record book price size side id` of each trade, in units that people read. */
function printed(block: Block, wanted: TradesWanted = ALL_TRADES): string[] {
  const trades = tradesIn(block, wanted)
  const { values, texts } = tradeIds(block, trades)
  return Array.from({ length: trades.count }, (_, i) => {
    const text = values[i]!
    const id = text === NULL ? null : utf8.decode(texts.arena.subarray(texts.offsets[text], texts.offsets[text + 1]))
    const side = SIDES[trades.sides[i]! - 1] ?? null
    // A read of this trade alone gives the same.
    const alone = { price: trades.prices[i]!, size: trades.sizes[i]!, side, id }
    expect(tradeAt(block, trades.shapes[i]!, trades.rows[i]!)).toEqual(alone)
    const [price, size] = [trades.prices[i]! / 1e6, trades.sizes[i]! / 1e6]
    return `${trades.records[i]} ${trades.books[i]} ${price} ${size} ${side} ${JSON.stringify(id)}`
  })
}

const kalshi = (seq: number, msg: object) => {
  return { type: 'trade', sid: 2, seq, msg: { market_ticker: TICKER, ts_ms: NOON + seq, ...msg } }
}
const polymarket = (asset: string | undefined, more: object) => {
  return { event_type: 'last_trade_price', market: CONDITION, asset_id: asset, timestamp: String(NOON), ...more }
}

test('of Kalshi: dollars, cents, and each word for the side of the taker', () =>
  blockOf(
    'kalshi',
    [
      kalshi(0, { yes_price_dollars: '0.3100', count_fp: '1.88', taker_side: 'no', trade_id: 'a1' }),
      kalshi(1, { yes_price: 48, count: 3, taker_side: 'yes', trade_id: 'b\\"\u00fc' }),
      kalshi(2, { yes_price_dollars: '0.3155', count_fp: '0.01', taker_outcome_side: 'yes', trade_id: '12' }),
      kalshi(3, { yes_price_dollars: '0.3100', count_fp: '2.00', taker_book_side: 'ask', trade_id: 13 }),
      kalshi(4, { yes_price_dollars: '0.3100', count_fp: '0.00', taker_side: 'maybe' }),
      kalshi(5, { yes_price_dollars: '0.31000001', count_fp: '2.00', taker_side: 'yes' }),
      kalshi(6, { yes_price_dollars: '0.3100', count_fp: '-2.00', taker_side: 'yes' }),
      kalshi(7, { yes_price_dollars: '1.0100', count_fp: '2.00', taker_side: 'yes' }),
      kalshi(8, { count_fp: '2.00', taker_side: 'yes' }),
      kalshi(9, { yes_price_dollars: '1.0000', count_fp: '2.00', taker_side: 'yes', legs: [1, 'a'], trade_id: 'x' }),
      kalshi(10, { yes_price_dollars: '0.0000', count_fp: '2.00', taker_side: 'no', legs: [1, 'a'] }),
    ],
    (block) => {
      expect(printed(block)).toEqual([
        '0 1 0.31 1.88 sell "a1"',
        '1 1 0.48 3 buy "b\\\\\\"ü"',
        '2 1 0.3155 0.01 buy "12"',
        '3 1 0.31 2 sell null',
        '4 1 0.31 0 null null',
        '9 1 1 2 buy "x"',
        '10 1 0 2 sell null',
      ])
      const some = { ...ALL_TRADES, firstRecord: 1, endRecord: 5, fromMs: NOON + 2, toMs: NOON + 3 }
      expect(printed(block, some)).toEqual(['2 1 0.3155 0.01 buy "12"', '3 1 0.31 2 sell null'])
    },
  ))

test('of Polymarket: of each token, and of none', () =>
  blockOf(
    'polymarket',
    [
      polymarket('7', { price: '0.001', size: '216.216215', side: 'SELL', transaction_hash: '0xa' }),
      polymarket('8', { price: '.5', size: '2', side: 'BUY', transaction_hash: null }),
      polymarket(undefined, { price: '0.25', size: '3' }),
      polymarket('7', { price: '0.999', size: '1', side: 'buy', transaction_hash: '0xb' }),
      polymarket('7', { price: '0.999', size: '', side: 'buy', transaction_hash: '0xc' }),
    ],
    (block) => {
      const [first, second, third] = ['0 1 0.001 216.216215 sell "0xa"', '1 2 0.5 2 buy null', '2 0 0.25 3 null null']
      expect(printed(block)).toEqual([first, second, third, '3 1 0.999 1 buy "0xb"'])
      expect(printed(block, { ...ALL_TRADES, book: 2 })).toEqual([second])
    },
  ))
