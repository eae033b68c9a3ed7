// Loads every form that a message, its envelope or its time has had over the years, also mixed in one capture.

import { describe, expect, test } from 'bun:test'
import { CONDITION, DAY, NOON, TICKER } from '../../../model/lines.ts'
import { type TestStore, withStore } from '../../../support/store.ts'

type Bucket = { timestamp: number; best_bid: number; best_bid_size: number; best_ask: number; best_ask_size: number }

const range = { fromMs: NOON - 60_000, toMs: NOON + 60_000, nowMs: NOON + 120_000 }

async function lastTop(store: TestStore, venue: 'kalshi' | 'polymarket'): Promise<unknown[]> {
  const [market, book] = venue === 'kalshi' ? [TICKER, TICKER] : [CONDITION, 'A']
  const request = { venue, market, book, ...range, resolutionSeconds: 1, fill: 'none', timestampUnit: 'ms' } as const
  const last = (await store.summary(request)).at(-1) as Bucket | undefined
  return last === undefined ? [] : [last.best_bid, last.best_bid_size, last.best_ask, last.best_ask_size]
}

/** Returns the type and event time of each record; times are ms after noon. */
const recordsOf = async (store: TestStore, venue: 'kalshi' | 'polymarket') => {
  const market = venue === 'kalshi' ? TICKER : CONDITION
  return (await store.records(venue, market, DAY)).map(({ type, timestamp }) => `${type} ${timestamp - NOON}`)
}

/** Loads objects as lines and checks the last top of the book: bid, its size, ask, its size. */
async function check(
  venue: 'kalshi' | 'polymarket',
  lines: object[],
  top: unknown[],
  records?: string[],
): Promise<void> {
  await withStore(async (store) => {
    const report = await store.loadLines(
      'c.ndjson',
      lines.map((line) => JSON.stringify(line)),
    )
    expect(report).toMatchObject({ rejected: 0, error: null })
    expect(await lastTop(store, venue)).toEqual(top)
    if (records !== undefined) expect(await recordsOf(store, venue)).toEqual(records)
  })
}

const kalshi = (type: string, msg: object) => ({ type, sid: 1, seq: 1, msg: { market_ticker: TICKER, ...msg } })

describe('Kalshi', () => {
  test('dollars and fixed-point sizes', () =>
    check(
      'kalshi',
      [
        kalshi('orderbook_snapshot', {
          yes_dollars_fp: [['0.4800', '5.00']],
          no_dollars_fp: [['0.5000', '7.50']],
          ts_ms: NOON,
        }),
        kalshi('orderbook_delta', { price_dollars: '0.4900', delta_fp: '2.00', side: 'yes', ts_ms: NOON + 1 }),
        kalshi('orderbook_delta', { price_dollars: '0.5000', delta_fp: '-1.25', side: 'no', ts_ms: NOON + 2 }),
      ],
      [0.49, 2, 0.5, 6.25],
    ))

  test('cents', () =>
    check(
      'kalshi',
      [
        kalshi('orderbook_snapshot', {
          yes: [
            [1, 9],
            [48, 5],
          ],
          no: [[50, 7]],
          ts: NOON / 1_000,
        }),
        kalshi('orderbook_delta', { price: 49, delta: 2, side: 'yes', ts: NOON / 1_000 + 1 }),
        kalshi('orderbook_delta', { price: 50, delta: -3, side: 'no', ts: NOON / 1_000 + 1 }),
      ],
      [0.49, 2, 0.5, 4],
      ['snapshot 0', 'delta 1000', 'delta 1000'],
    ))

  test.each([
    ['0 first', [0, 48]],
    ['a fraction first', [0.5, 48]],
    ['cents first', [48, 0.5]],
  ])('cents and dollars in one form, %s', (_name, prices) =>
    check(
      'kalshi',
      prices.map((price, index) =>
        kalshi('orderbook_delta', { price, delta: 5, side: 'yes', ts: NOON / 1_000 + index }),
      ),
      [Math.max(...prices.map((price) => (price >= 1 ? price / 100 : price))), 5, null, 0],
    ),
  )

  test('the flat form, prices null in part', () =>
    check(
      'kalshi',
      [
        { type: 'snapshot', ticker: TICKER, timestamp: '2026-08-10T12:00:00Z', yes: [[0.48, 5]], no: [[0.5, 7]] },
        { type: 'delta', ticker: TICKER, timestamp: '2026-08-10T12:00:01.5Z', price: null, delta: null, side: 'yes' },
        { type: 'delta', ticker: TICKER, timestamp: '2026-08-10T12:00:02Z', price: 0.49, delta: 2, side: 'yes' },
        { type: 'trade', ticker: TICKER, timestamp: '2026-08-10T12:00:03.123456Z', price: 0.49 },
      ],
      [0.49, 2, 0.5, 7],
      ['snapshot 0', 'delta 1500', 'delta 2000', 'trade 3123'],
    ))

  test('a ticker in lower case is the same market', () =>
    check('kalshi', [{ type: 'trade', ticker: TICKER.toLowerCase(), timestamp: NOON }], [], ['trade 0']))
})

const polymarket = (type: string, body: object, ms = 0) => ({
  event_type: type,
  market: CONDITION,
  timestamp: String(NOON + ms),
  ...body,
})

describe('Polymarket', () => {
  const change = { price: '.48', size: '5', side: 'BUY' }

  test('all three generations of price_change on one book', () =>
    check(
      'polymarket',
      [
        polymarket('book', { asset_id: 'A', bids: [{ price: '0.4', size: '1' }], asks: [{ price: '0.6', size: '2' }] }),
        polymarket('price_change', { asset_id: 'A', price: '0.41', size: '3', side: 'BUY' }, 1),
        polymarket('price_change', { asset_id: 'A', changes: [{ price: '0.59', size: '4', side: 'SELL' }] }, 2),
        polymarket(
          'price_change',
          {
            price_changes: [
              { asset_id: 'B', ...change },
              { asset_id: 'A', ...change },
            ],
          },
          3,
        ),
      ],
      [0.48, 5, 0.59, 4],
      ['snapshot 0', 'delta 1', 'delta 2', 'delta 3', 'delta 3'],
    ))

  test('each entry of a message belongs to its own book, however many entries there are', () =>
    withStore(async (store) => {
      const tokens = [1, 2, 3].map((token) => `${token}`.padStart(78, '7'))
      const expected: { token: unknown; msg: object }[] = []
      const lines = Array.from({ length: 300 }, (_, i) => {
        const entries = Array.from({ length: 1 + ((i >> 3) % 3) }, (_, entry) => ({
          ...{ asset_id: tokens[(i * i + entry) % (i < 100 ? 2 : 3)]!, price: `0.${10 + (i % 80)}` },
          ...{ size: `${i}.${entry}`, side: (i + entry) % 3 === 0 ? 'SELL' : 'BUY', hash: `${i % 5}`.repeat(40) },
        }))
        const message = polymarket('price_change', { price_changes: entries }, i)
        for (const token of new Set(entries.map(({ asset_id: id }) => id))) {
          const own = entries.filter(({ asset_id: id }) => id === token)
          expected.push({ token, msg: { ...message, price_changes: own } })
        }
        const line = JSON.stringify(message)
        return i % 7 === 3 ? line.replaceAll('},{', '} , {') : line
      })
      expect(await store.loadLines('c.ndjson', lines)).toMatchObject({ rejected: 0, error: null })
      const records = await store.records('polymarket', CONDITION, DAY)
      expect(records.map((record) => ({ token: 'asset_id' in record && record.asset_id, msg: record.msg }))).toEqual(
        expected,
      )
    }))

  test('a market in upper case is the same condition', () =>
    check(
      'polymarket',
      [{ ...polymarket('tick_size_change', { asset_id: 'A' }), market: `0x${CONDITION.slice(2).toUpperCase()}` }],
      [],
      ['tick_size 0'],
    ))

  test.each([
    ['0', 0],
    ['', 0],
    ['2026-08-10T12:00:00.010Z', 10],
    [String(NOON / 1_000), 0],
    ['garbage', 0],
  ])('a first time %p does not decide how later ones are read', (first, firstMs) =>
    check(
      'polymarket',
      [first, String(NOON + 900), String(NOON + 1_900)].map((timestamp, index) => ({
        recv_ms: NOON + index * 1_000,
        event: { ...polymarket('last_trade_price', { asset_id: 'A' }), timestamp },
      })),
      [],
      [`trade ${firstMs}`, 'trade 900', 'trade 1900'],
    ),
  )
})

describe('a gap', () => {
  const gap = (venue: string, market: string, ms: number, more = {}) => ({
    type: 'gap',
    venue,
    market,
    ...more,
    msg: { reason: 'reconnect', from: NOON + ms, to: NOON + ms },
  })

  test('belongs to the venue that it names', () =>
    withStore(async (store) => {
      const lines = [gap('kalshi', TICKER, 1), gap('polymarket', CONDITION, 2), gap('kalshi', TICKER, 3)]
      const report = await store.loadLines(
        'c.ndjson',
        lines.map((line) => JSON.stringify(line)),
      )
      expect(report).toMatchObject({ rejected: 0 })
      expect(await recordsOf(store, 'kalshi')).toEqual(['gap 1', 'gap 3'])
      expect(await recordsOf(store, 'polymarket')).toEqual(['gap 2'])
    }))

  test('is in the head of its day', () =>
    withStore(async (store) => {
      await store.loadLines('c.ndjson', [JSON.stringify(gap('polymarket', CONDITION, 2, { asset_id: 'A' }))])
      const [day] = await store.store.catalogue.heads('polymarket', CONDITION)
      const at = NOON + 2
      expect(day?.head.gaps).toEqual([{ book: 'A', reason: 'reconnect', fromMs: at, toMs: at, atMs: at }])
    }))
})

describe('an envelope', () => {
  const event = kalshi('trade', { ts_ms: NOON + 5 })
  const text = JSON.stringify(event)
  const iso = new Date(NOON + 7).toISOString()

  test.each([
    ['recv_ms and event', { recv_ms: NOON + 7, event }],
    ['received_at and message', { received_at: iso, message: event }],
    ['recv_ts_ms and data', { recv_ts_ms: String(NOON + 7), data: [event] }],
    ['seconds with a fraction, and raw', { received_at: (NOON + 7) / 1_000, raw: event }],
    ['an offset', { received_at: iso.replace('Z', '+00:00'), event }],
    ['the message as text', { recv_ms: NOON + 7, raw: text }],
    ['other keys around', { id: 'é', recv_ms: NOON + 7, note: null, event, tail: [1] }],
  ])('of %s', (_name, envelope) =>
    withStore(async (store) => {
      await store.loadLines('c.ndjson', [JSON.stringify(envelope), JSON.stringify(envelope)])
      const record = { type: 'trade', timestamp: NOON + 5, received_at: NOON + 7, ticker: TICKER, sid: 1, seq: 1 }
      expect(await store.records('kalshi', TICKER, DAY)).toEqual([
        { ...record, msg: event.msg },
        { ...record, msg: event.msg },
      ])
    }),
  )

  test('without a clock gives no receipt time', () =>
    withStore(async (store) => {
      for (const envelope of [{ event }, { recv_ms: null, event }]) {
        await store.loadLines('c.ndjson', [JSON.stringify(envelope)])
        expect(await store.records('kalshi', TICKER, DAY)).toMatchObject([{ received_at: null }])
      }
    }))

  test('keeps its clock however often the day is rewritten', () =>
    withStore(async (store) => {
      for (let load = 1; load <= 3; load++) {
        const other = { recv_ms: NOON / 1_000, event: { type: 'ticker', sid: 1, msg: { market_ticker: TICKER, load } } }
        await store.loadLines(`c-${load}`, [JSON.stringify(other)])
      }
      const clocks = (await store.records('kalshi', TICKER, DAY)).map(({ received_at }) => received_at)
      expect(clocks).toEqual([NOON, NOON, NOON])
    }))
})

describe('duplicates', () => {
  test.each([
    ['keys in another order', '{"a":1,"b":{"c":2,"d":3}}', '{"b":{"d":3,"c":2},"a":1}'],
    ['spaces', '{"a":[1,2]}', '{ "a" : [1, 2] }'],
    ['escapes', '{"a":"é/"}', '{"a":"\\u00e9\\/"}'],
    ['numbers printed otherwise', '{"a":0.50,"b":5.0,"c":100}', '{"a":0.5,"b":5,"c":1e2}'],
    ['lists of different elements', '{"a":[1,{"b":2,"c":"x"}]}', '{"a":[1,{"c":"x","b":2}]}'],
  ])('are found in spite of %s', (_name, first, second) =>
    withStore(async (store) => {
      const line = (extra: string) =>
        `{"type":"trade","sid":1,"seq":1,"msg":{"market_ticker":"${TICKER}","ts_ms":${NOON},"extra":${extra}}}`
      await store.loadLines('a.ndjson', [line(first)])
      expect(await store.loadLines('b.ndjson', [line(second)])).toMatchObject({ recordsAdded: 0, records: 1 })
    }),
  )

  test('within one capture are stored as often as in the capture that has most of them', () =>
    withStore(async (store) => {
      const line = JSON.stringify(kalshi('trade', { ts_ms: NOON }))
      for (const count of [2, 3, 1]) await store.loadLines(`c-${count}`, Array(count).fill(line))
      expect(await recordsOf(store, 'kalshi')).toEqual(['trade 0', 'trade 0', 'trade 0'])
    }))
})
