// A replay converts messages of Kalshi that are stored in another form to the form of today's socket, with the same
// values. It does not change messages that came from the socket.

import { expect, test } from 'bun:test'
import { T0 } from '../../../test/support/replay/kalshi-lines.ts'
import { socketTexts } from '../../../test/support/replay/socket-texts.ts'
import { parseExactly } from '../exact-json.ts'
import { kalshiForm } from './kalshi-form.ts'

const X = 'KXX-26AUG10'
const NAMED = { market_ticker: X, market_id: 'u-1' }
/** Keys of a message without a stored id: the ticker takes the place of the id. */
const UNNAMED = { market_ticker: X, market_id: X }
const ISO = '2026-08-10T12:00:01.25Z'
const TIMES = { ts: ISO, ts_ms: T0 + 1_250 }
const TRADE_TIMES = { ts: T0 / 1_000 + 1, ts_ms: T0 + 1_250 }
const part = (type: string, msg: object) => ({ type, sid: 1, seq: 7, msg })
const flat = (type: string, more: object) => ({
  type,
  ticker: X,
  timestamp: '2026-08-10T12:00:01.250000+00:00',
  ...more,
})

const LEVELS = {
  yes_dollars_fp: [
    ['0.0700', '1.00'],
    ['0.4800', '300.00'],
  ],
  no_dollars_fp: [['0.5000', '2.50']],
}
const CENTS = {
  yes: [
    [7, 1],
    [48, 300],
  ],
  no: [['0.50', 2.5]],
}

test.each<[string, object | string, object | null]>([
  ['a snapshot in cents', part('orderbook_snapshot', { ...NAMED, ...CENTS }), { msg: { ...NAMED, ...LEVELS } }],
  [
    'a snapshot with dollars and whole counts beside cents',
    part('orderbook_snapshot', {
      ...NAMED,
      ...CENTS,
      yes_dollars: [
        ['0.48', 300],
        ['.07', 1],
      ],
      no_dollars: [['0.5', 2.5]],
    }),
    { msg: { ...NAMED, ...LEVELS } },
  ],
  [
    'a book of the REST API',
    {
      type: 'orderbook',
      ticker: X,
      msg: {
        orderbook_fp: {
          yes_dollars: [
            ['0.0700', '1.00'],
            ['0.4800', '300.00'],
          ],
          no_dollars: [],
        },
      },
    },
    { msg: { ...UNNAMED, yes_dollars_fp: LEVELS.yes_dollars_fp } },
  ],
  [
    'a book of the REST API in cents, a side null',
    {
      type: 'orderbook',
      ticker: X,
      msg: {
        orderbook: {
          yes: [
            [7, 1],
            [48, 300],
          ],
          no: null,
        },
      },
    },
    { msg: { ...UNNAMED, yes_dollars_fp: LEVELS.yes_dollars_fp } },
  ],
  ['a flat snapshot', flat('snapshot', CENTS), { msg: { ...UNNAMED, ...LEVELS } }],
  [
    'a delta in cents',
    part('orderbook_delta', { ...NAMED, price: 96, delta: -54, side: 'yes', ts: ISO }),
    { msg: { ...NAMED, price_dollars: '0.9600', delta_fp: '-54.00', side: 'yes', ...TIMES } },
  ],
  [
    'a delta in dollars with a whole count, and without a time',
    part('orderbook_delta', { ...NAMED, price: 96, price_dollars: '0.965', delta: 54, side: 'no' }),
    { msg: { ...NAMED, price_dollars: '0.9650', delta_fp: '54.00', side: 'no' } },
  ],
  [
    'a flat delta in cents',
    flat('delta', { price: 7, delta: 5, side: 'no' }),
    { msg: { ...UNNAMED, price_dollars: '0.0700', delta_fp: '5.00', side: 'no', ...TIMES } },
  ],
  [
    'a flat delta in dollars, as numbers',
    flat('delta', { price: 0.485, delta: -0.25, side: 'yes' }),
    { msg: { ...UNNAMED, price_dollars: '0.4850', delta_fp: '-0.25', side: 'yes', ...TIMES } },
  ],
  ['a flat delta without a price', flat('delta', { price: null, delta: 5, side: 'no' }), null],
  [
    'sizes finer than any book has',
    '{"type":"orderbook_delta","sid":1,"seq":2,"msg":{"market_ticker":"KXX-26AUG10","price":5,"delta":0.1234567890123456789,"side":"yes"}}',
    { msg: { ...UNNAMED, price_dollars: '0.0500', delta_fp: '0.1234567890123456789', side: 'yes' } },
  ],
  [
    'a trade in cents',
    part('trade', {
      trade_id: 't',
      market_ticker: X,
      yes_price: 31,
      no_price: 69,
      count: 2,
      taker_side: 'no',
      ts: T0 / 1_000 + 1,
    }),
    {
      msg: {
        ...{ trade_id: 't', market_ticker: X, yes_price_dollars: '0.3100', no_price_dollars: '0.6900' },
        ...{ count_fp: '2.00', taker_side: 'no', ts: T0 / 1_000 + 1, ts_ms: T0 + 1_000 },
      },
    },
  ],
  [
    'a trade of the REST API',
    {
      type: 'trade',
      ticker: X,
      msg: {
        trade_id: 't',
        ticker: X,
        count_fp: '1.88',
        yes_price_dollars: '0.3100',
        taker_book_side: 'bid',
        created_time: ISO,
      },
    },
    {
      msg: {
        ...{ trade_id: 't', market_ticker: X, yes_price_dollars: '0.3100', no_price_dollars: '0.6900' },
        ...{ count_fp: '1.88', taker_side: 'yes', taker_book_side: 'bid', ...TRADE_TIMES },
      },
    },
  ],
  [
    'a flat trade',
    flat('trade', { trade_id: 't', price: 31, count: 2, side: 'yes' }),
    {
      msg: {
        ...{ trade_id: 't', market_ticker: X, yes_price_dollars: '0.3100', no_price_dollars: '0.6900' },
        ...{ count_fp: '2.00', taker_side: 'yes', ...TRADE_TIMES },
      },
    },
  ],
  [
    'a flat message of another channel',
    flat('ticker', { price: 31 }),
    { type: 'ticker', sid: 0, msg: { market_ticker: X, timestamp: '2026-08-10T12:00:01.250000+00:00', price: 31 } },
  ],
  [
    'an envelope with more than the venue has',
    { ...part('orderbook_delta', { ...NAMED, price: 96, delta: 1, side: 'yes', ts: ISO }), shard: 3 },
    {
      ...part('orderbook_delta', { ...NAMED, price_dollars: '0.9600', delta_fp: '1.00', side: 'yes', ...TIMES }),
      shard: 3,
    },
  ],
  ['an empty book', part('orderbook_snapshot', NAMED), { msg: NAMED }],
  [
    "today's delta, its numbers as printed",
    part('orderbook_delta', { ...NAMED, price_dollars: '0.48', delta_fp: '1', side: 'yes', ts_ms: T0 }),
    { msg: { ...NAMED, price_dollars: '0.48', delta_fp: '1', side: 'yes', ts_ms: T0 } },
  ],
])('Kalshi: %s', async (_, message, expected) => {
  const text = typeof message === 'string' ? message : JSON.stringify(message)
  expect(await socketTexts('kalshi', text)).toEqual(expected === null ? [] : [expected])
})

test.each([
  [
    'snapshot',
    {
      yes_dollars_fp: [['0.4000', '1.00']],
      no_dollars_fp: [
        ['0.6000', '2.00'],
        ['0.5500', '3.00'],
      ],
    },
    {
      yes_dollars_fp: [['0.4000', '1.00']],
      no_dollars_fp: [
        ['0.4000', '2.00'],
        ['0.4500', '3.00'],
      ],
    },
  ],
  [
    'delta',
    { price_dollars: '0.6000', delta_fp: '2.00', side: 'no' },
    { price_dollars: '0.4000', delta_fp: '2.00', side: 'no' },
  ],
  [
    'delta',
    { price_dollars: '0.6000', delta_fp: '2.00', side: 'yes' },
    { price_dollars: '0.6000', delta_fp: '2.00', side: 'yes' },
  ],
] as const)('prices of NO on the scale of YES: %s', (kind, fields, expected) => {
  const storedForm = { kind, envelopeType: `orderbook_${kind}`, isYesScale: true }
  const form = kalshiForm(storedForm, X, parseExactly(JSON.stringify({ ...NAMED, ...fields })))
  expect(form).toEqual({ isWhole: false, message: { ...NAMED, ...expected } })
})
