// Captures with a message of each form that a venue has ever had.

const T0 = Date.parse('2026-08-10T12:00:00Z')
const at = (ms: number, event: object) => JSON.stringify({ recv_ms: T0 + ms + 5, event })
const iso = (ms: number) => new Date(T0 + ms).toISOString()
const of = (text: string) => ({ ...(JSON.parse(text) as object) })

const M = `0x${'a1'.repeat(32)}`
const [YES, NO] = [`${'7'.repeat(70)}1`, `${'7'.repeat(70)}2`]
const polymarket = (ms: number, more: object) => at(ms, { market: M, timestamp: String(T0 + ms), ...more })

export const POLYMARKET_LINES = [
  polymarket(0, {
    ...{ asset_id: YES, hash: '1a', min_order_size: '5', tick_size: '0.01', neg_risk: false, last_trade_price: '' },
    ...of('{"bids":[{"price":"0.4","size":"10"},{"price":"0.48","size":"5.5"}],"asks":[{"price":"0.51","size":"2"}]}'),
  }),
  polymarket(10, { asset_id: NO, hash: '2a', event_type: 'book', bids: [], asks: [{ price: '0.6', size: '10' }] }),
  polymarket(20, { asset_id: YES, hash: '1b', event_type: 'price_change', price: '0.48', size: '0', side: 'BUY' }),
  polymarket(30, {
    ...{ asset_id: YES, hash: '1c', event_type: 'price_change' },
    ...of('{"changes":[{"price":"0.470","size":"7.10","side":"BUY"},{"price":".51","size":"0","side":"SELL"}]}'),
  }),
  polymarket(40, {
    event_type: 'price_change',
    price_changes: [
      { asset_id: YES, price: '0.52', size: '3', side: 'SELL', hash: '1d', best_bid: '0.47', best_ask: '0.52' },
      { asset_id: NO, price: '0.48', size: '3', side: 'BUY', hash: '2b', best_bid: '0.48', best_ask: '0.53' },
    ],
  }),
  polymarket(50, {
    ...{
      asset_id: YES,
      event_type: 'last_trade_price',
      price: '0.52',
      size: '1.000001',
      side: 'BUY',
      fee_rate_bps: '0',
    },
  }),
  polymarket(60, { asset_id: YES, event_type: 'tick_size_change', old_tick_size: '0.01', new_tick_size: '0.001' }),
  polymarket(70, {
    ...{ asset_id: NO, hash: '2c', tick_size: '0.001' },
    ...of('{"bids":[{"price":0.485,"size":3},{"price":0.1,"size":12.5}],"asks":[]}'),
  }),
  polymarket(80, {
    asset_id: NO,
    hash: '2d',
    event_type: 'price_change',
    changes: [{ price: 0.485, size: 4, side: 'BUY' }],
  }),
]

const [CENTS, FLAT, REST, MIXED] = ['KXCENTS-26AUG10', 'KXFLAT-26AUG10', 'KXREST-26AUG10', 'KXMIXED-26AUG10']
const part = (ms: number, type: string, msg: object) => at(ms, { type, sid: 1, seq: ms + 1, msg })
const flat = (ms: number, type: string, more: object) => at(ms, { type, ticker: FLAT, timestamp: iso(ms), ...more })

export const KALSHI_LINES = [
  part(0, 'orderbook_snapshot', {
    market_ticker: CENTS,
    yes: [
      [7, 10],
      [48, 300],
    ],
    no: [[50, 4]],
  }),
  part(10, 'orderbook_delta', { market_ticker: CENTS, price: 48, delta: -300, side: 'yes', ts: iso(10) }),
  part(20, 'orderbook_delta', { market_ticker: CENTS, price: 5, delta: 12, side: 'no' }),
  part(30, 'trade', {
    ...{ trade_id: 't-1', market_ticker: CENTS, yes_price: 50, no_price: 50, count: 3, taker_side: 'yes' },
    ts: Math.floor(T0 / 1_000),
  }),
  part(40, 'orderbook_snapshot', {
    market_ticker: CENTS,
    yes: [[7, 10]],
    no: [
      [5, 12],
      [50, 4],
    ],
  }),
  flat(0, 'snapshot', {
    yes: [[7, 10]],
    no: [
      ['0.505', 2.5],
      [50, 1],
    ],
  }),
  flat(10, 'delta', { price: 0.071, delta: 4, side: 'yes' }),
  flat(20, 'delta', { price: 50, delta: -1, side: 'no' }),
  at(0, {
    type: 'orderbook',
    ticker: REST,
    msg: { orderbook_fp: { yes_dollars: [['0.0700', '10.00']], no_dollars: [] } },
  }),
  at(10, { type: 'orderbook', ticker: REST, msg: { orderbook: { yes: [[7, 11]], no: [[50, 1]] } } }),
  part(0, 'orderbook_snapshot', { market_ticker: MIXED, market_id: 'u', yes_dollars_fp: [['0.0700', '10.25']] }),
  part(10, 'orderbook_delta', { market_ticker: MIXED, price: 48, delta: 2, side: 'yes', ts: iso(10) }),
  part(20, 'orderbook_delta', {
    ...{ market_ticker: MIXED, market_id: 'u', price_dollars: '0.4810', delta_fp: '0.75', side: 'no' },
    ...{ ts: iso(20), ts_ms: T0 + 20 },
  }),
]

/** Lines in the format `rest-books`. */
export const REST_LINES = [
  { ticker: REST, received_at: iso(0), body: { orderbook_fp: { yes_dollars: [['0.0700', '10.00']], no_dollars: [] } } },
  { ticker: REST, received_at: iso(9), body: { orderbook: { yes: [[7, 11]], no: [[50, 1]] } } },
  {
    ...{ market: M, asset_id: YES, timestamp: String(T0), hash: '1a', min_order_size: '5', tick_size: '0.01' },
    ...{ neg_risk: false, bids: [{ price: '0.4', size: '10' }], asks: [] },
  },
].map((body) => JSON.stringify(body))
