// In the stored format, a trade of any form has its price, size, taker and id.

import { describe, expect, test } from 'bun:test'
import { decodeBlock } from '../../../../storage/format/block.ts'
import { followsTime, takerSide } from '../../../../storage/format/shape.ts'
import { decodeWholeBlock } from '../../../../workers/block/decoded-block.ts'
import { writeMessage } from '../../../../workers/block/message-writer.ts'
import { ByteWriter } from '../../../../workers/bytes/byte-writer.ts'
import { CONDITION, NOON, TICKER } from '../../../model/lines.ts'
import { collectLines } from '../../../support/collected.ts'

/** Returns price, size, taker and id of each trade as printed; null for a value that the trade's shape does not
 *  have. */
function tradesOf(...lines: object[]): (unknown[] | null)[] {
  const partitions = collectLines(lines.map((line) => JSON.stringify(line)))
  const blocks = partitions.flatMap((partition) => partition.blocks)
  return blocks.flatMap(({ content }) => {
    const block = decodeWholeBlock(decodeBlock(content as Uint8Array))
    return Array.from({ length: block.recordCount }, (_, record) => {
      const shape = block.shapes[block.shapeIndexes[record]!]!
      const { trade } = shape.shape
      if (trade === null) return null
      const slots = [trade.price.slot, trade.size.slot, trade.side, trade.id]
      expect(slots.some((slot) => slot >= 0 && followsTime(shape.shape, slot))).toBe(false)
      const [price, size, side, id] = slots.map((slot) => {
        if (slot < 0) return null
        const writer = new ByteWriter(64)
        writeMessage(writer, [{ slot }], shape, block.rows[record]!)
        return new TextDecoder().decode(writer.bytes.subarray(0, writer.length))
      })
      return [trade.price.mayBeCents ? `${price} or cents` : price, size, takerSide(trade.sideMeaning, side ?? ''), id]
    })
  })
}

const kalshi = (msg: object) => ({ type: 'trade', sid: 2, seq: 9, msg: { market_ticker: TICKER, ts_ms: NOON, ...msg } })
const polymarket = (message: object) => ({
  event_type: 'last_trade_price',
  market: CONDITION,
  asset_id: 'A',
  timestamp: String(NOON),
  ...message,
})

describe('a trade of Kalshi', () => {
  const dollars = { trade_id: 't1', yes_price_dollars: '0.3100', no_price_dollars: '0.6900', count_fp: '1.88' }
  test('in dollars', () =>
    expect(tradesOf(kalshi({ ...dollars, taker_side: 'no', taker_book_side: 'ask' }))).toEqual([
      ['0.3100', '1.88', 'sell', 't1'],
    ]))
  test('in cents', () =>
    expect(tradesOf(kalshi({ trade_id: 't2', yes_price: 48, no_price: 52, count: 3, taker_side: 'yes' }))).toEqual([
      ['48 or cents', '3', 'buy', 't2'],
    ]))
  test('with the side of the book only, or none', () => {
    expect(tradesOf(kalshi({ ...dollars, taker_book_side: 'bid' }))).toEqual([['0.3100', '1.88', 'buy', 't1']])
    expect(tradesOf(kalshi({ ...dollars, taker_side: null }))).toEqual([['0.3100', '1.88', null, 't1']])
  })
  test('of the flat form', () => {
    const flat = { type: 'trade', ticker: TICKER, timestamp: new Date(NOON).toISOString() }
    expect(tradesOf({ ...flat, price: 0.49, count: 2, taker_side: 'yes', trade_id: 'f' })).toEqual([
      ['0.49 or cents', '2', 'buy', 'f'],
    ])
    expect(tradesOf({ ...flat, price: null, count: 2 })).toEqual([null])
  })
  test('with values that no form fits', () =>
    expect(tradesOf(kalshi({ ...dollars, taker_side: 'yes', notes: [1, 'two'] }))).toEqual([
      ['0.3100', '1.88', 'buy', 't1'],
    ]))
  test('is not a trade without price and size', () => expect(tradesOf(kalshi({ trade_id: 't' }))).toEqual([null]))
})

describe('a trade of Polymarket', () => {
  test('with the hash of its transaction', () =>
    expect(tradesOf(polymarket({ price: '0.48', size: '216.216215', side: 'SELL', transaction_hash: '0xab' }))).toEqual(
      [['0.48', '216.216215', 'sell', '0xab']],
    ))
  test('of an older day, without one', () =>
    expect(tradesOf(polymarket({ price: '0.48', size: '5', side: 'BUY', fee_rate_bps: '0' }))).toEqual([
      ['0.48', '5', 'buy', null],
    ]))
})
