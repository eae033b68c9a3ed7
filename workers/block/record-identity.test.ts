// Records are the same if their messages are, in any order of keys and any spelling of a number; trades of Kalshi if
// their ids are.

import { expect, test } from 'bun:test'
import type { JsonObject } from '../../test/model/json.ts'
import { CONDITION, kalshiDelta, NOON, received, TICKER } from '../../test/model/lines.ts'
import { decodedBlock } from '../../test/support/books/made-block.ts'
import { RecordIdentities, sortedParts } from './record-identity.ts'

function identities(venue: 'kalshi' | 'polymarket', ...lines: JsonObject[]): string[] {
  return lines.map((line) => {
    const [hashes, checks] = [new BigUint64Array(2), new BigUint64Array(2)]
    new RecordIdentities(decodedBlock(line), venue).hash(0, hashes, checks, 1)
    expect([hashes[0], checks[0]]).toEqual([0n, 0n])
    return `${hashes[1]} ${checks[1]}`
  })
}

const delta = (msg: JsonObject) => ({ type: 'orderbook_delta', msg: { market_ticker: TICKER, ts_ms: NOON, ...msg } })
const trade = (msg: JsonObject) => ({
  type: 'trade',
  msg: { market_ticker: TICKER, yes_price_dollars: '0.4', count_fp: '2.00', taker_side: 'yes', ts_ms: NOON, ...msg },
})

test('the order of keys and sid and seq do not matter, values do', () => {
  const msg = { price_dollars: '0.4', delta_fp: '1.00', side: 'yes' }
  const [one, turned, numbered, other] = identities(
    'kalshi',
    delta(msg),
    delta(Object.fromEntries(Object.entries(msg).toReversed())),
    { ...delta(msg), sid: 4, seq: 9 },
    delta({ ...msg, delta_fp: '1.01' }),
  )
  expect([turned, numbered]).toEqual([one!, one!])
  expect(other).not.toBe(one!)
})

test('numbers are compared by value, texts by their letters', () => {
  const change = (size: string) =>
    JSON.parse(
      `{"event_type":"last_trade_price","market":"${CONDITION}","asset_id":"A","timestamp":"${NOON}","price":"0.5","x":${size}}`,
    )
  const [one, same] = identities('polymarket', change('0.50'), change('5e-1'))
  expect(same).toBe(one!)
  const [quoted, longer] = identities('polymarket', change('"0.5"'), change('"0.50"'))
  expect(longer).not.toBe(quoted!)
})

test('the recorder’s clock matters only if the venue states no time', () => {
  const { ts_ms: _, ...untimed } = delta({ price_dollars: '0.4', delta_fp: '1.00', side: 'yes' }).msg
  const [one, later] = identities(
    'kalshi',
    received(0, { ...delta({}), msg: untimed }),
    received(1, { ...delta({}), msg: untimed }),
  )
  expect(later).not.toBe(one!)
  const timed = kalshiDelta(0, '0.4', '1')
  const [first, second] = identities('kalshi', received(0, timed), received(1, timed))
  expect(second).toBe(first!)
})

test('trades of Kalshi are equal if their ids are, and the form of the socket sorts first', () => {
  const rest = {
    type: 'trade',
    ticker: TICKER,
    msg: {
      ticker: TICKER,
      trade_id: 'a',
      yes_price_dollars: '0.4',
      count_fp: '2.00',
      created_time: '2026-08-10T12:00:00Z',
    },
  }
  const [one, moved, other] = identities(
    'kalshi',
    trade({ trade_id: 'a' }),
    trade({ trade_id: 'a', yes_price_dollars: '0.5' }),
    trade({ trade_id: 'b' }),
  )
  expect(moved).toBe(one!)
  expect(other).not.toBe(one!)
  const textOf = (line: JsonObject) => new RecordIdentities(decodedBlock(line), 'kalshi').comparedText(0)
  expect(textOf(trade({ trade_id: 'a' })) < textOf(rest)).toBe(true)
})

test('a trade with an empty id, or without one, is its message', () => {
  const [empty, other, none] = identities(
    'kalshi',
    trade({ trade_id: '' }),
    trade({ trade_id: '', yes_price_dollars: '0.5' }),
    trade({}),
  )
  expect(new Set([empty, other, none]).size).toBe(3)
  const isTradeId = (line: JsonObject) =>
    new RecordIdentities(decodedBlock(line), 'kalshi').hash(0, new BigUint64Array(1), new BigUint64Array(1), 0)
  const lines = [trade({ trade_id: 'a' }), trade({ trade_id: '' }), trade({}), kalshiDelta(0, '0.4', '1')]
  expect(lines.map(isTradeId)).toEqual([true, false, false, false])
})

test('the parts of a shape have their keys in ascending order, those of list elements too', () => {
  const parts = [
    '{"b":"',
    { slot: 0 },
    '","a":[',
    { list: 0, element: ['{"z":', { slot: 1 }, ',"y":"', { slot: 2 }, '"}'] },
    ']}',
  ]
  const sorted = sortedParts({ parts } as never)
  expect(sorted).toEqual([
    '{"a":[',
    { list: 0, element: ['{"y":"', { slot: 2 }, '","z":', { slot: 1 }, '}'] },
    '],"b":"',
    { slot: 0 },
    '"}',
  ])
})
