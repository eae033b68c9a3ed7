// Printed records that are loaded again print to the same bytes, and change nothing in the store that printed them.

import { describe, expect, test } from 'bun:test'
import { utcDate } from '../../../storage/units.ts'
import { VENUES } from '../../../storage/venue.ts'
import { dateRequest, type TestStore, withStore } from '../../support/store.ts'
import { CONDITION, NOON, OddMessages, TICKER } from './odd-messages.ts'

const MARKETS = { kalshi: TICKER, polymarket: CONDITION }

const printed = async (store: TestStore): Promise<string[]> =>
  (await Promise.all(VENUES.map((venue) => store.printed(venue, MARKETS[venue])))).flat()

async function check(lines: string[], source?: string): Promise<void> {
  await withStore(async (store) => {
    expect(await store.loadLines('lines', lines, source)).toMatchObject({ rejected: 0, error: null })
    const records = await printed(store)
    expect(records.length).toBeGreaterThanOrEqual(lines.length)
    for (const record of records) expect(JSON.parse(record).source).toBe(source)
    expect(await store.loadLines('own', records)).toMatchObject({ rejected: 0, recordsAdded: 0, partitionsChanged: 0 })
    await withStore(async (copy) => {
      expect(await copy.loadLines('copy', records)).toMatchObject({ rejected: 0, error: null })
      expect(await printed(copy)).toEqual(records)
    })
  })
}

const seeds = Array.from({ length: 20 }, (_, index) => index + 1)
test.each(seeds)('generated and mutated messages, seed %d', (seed) => {
  const odd = new OddMessages(seed + 500)
  const lines = Array.from({ length: 40 }, (_, index) => odd.next(index))
  return check(lines, seed % 2 === 0 ? 'pmxt-v2' : undefined)
})

const kalshi = (body: string, around = '"sid":1,"seq":7') =>
  `{"type":"orderbook_delta",${around},"msg":{"market_ticker":"${TICKER}","delta_fp":"1.00","side":"yes","ts_ms":${NOON},${body}}}`
const gap = (market: string, msg: string) => `{"type":"gap",${market},"msg":{${msg}}}`
const polymarketGap = (msg: string) => gap(`"venue":"polymarket","market":"${CONDITION}"`, msg)
const trade = (price: string, ms: number) =>
  `{"event_type":"last_trade_price","market":"${CONDITION}","asset_id":"A","price":${price},"size":"1","timestamp":"${NOON + ms}"}`
const book = (bids: string) =>
  `{"event_type":"book","market":"${CONDITION}","asset_id":"A","bids":[${bids}],"asks":[],"timestamp":"${NOON}"}`

describe('print the same:', () => {
  test.each([
    ['a message that no form fits', [book('{"price":"0.5","size":"1"},{"price":null,"size":"1"}')]],
    ['one that is kept whole', [kalshi('"price_dollars":[1,"a"]', '"sid":1,"seq":7,"id":0.50')]],
    ['one without numbers of its connection', [kalshi('"price_dollars":[1,"a"]', '"note":1').replace('"note":1,', '')]],
    ['the numbers of a gap', [trade('"0.5"', 0), polymarketGap(`"from":${NOON}.0,"to":0.50,"9":1e3,"1":[-0]`)]],
    ['a gap before all others', [polymarketGap(`"from":${NOON},"to":1e3`), trade('"0.5"', 1)]],
    ['a key that comes twice in a gap', [polymarketGap(`"from":${NOON},"to":1,"to":2`), trade('"0.5"', 1)]],
    ['small numbers', [trade('0.0000001', 0), trade('0.00000150', 1), trade('1.5e-7', 2), trade('0.5', 3)]],
    ['a long number, where another is spelt oddly', [kalshi('"price_dollars":9007199254740993', '"sid":1.0,"seq":7')]],
  ])('%s', (_name, lines) => check(lines))
})

test('a copy has the book of a message whose market is outside of `msg`', () =>
  withStore(async (store) => {
    const part = { market_ticker: TICKER, price_dollars: '0.4000', delta_fp: '1.00', side: 'yes', ts_ms: NOON }
    await store.loadLines('lines', [JSON.stringify({ type: 'orderbook_delta', market_ticker: TICKER, msg: part })])
    await withStore(async (copy) => {
      await copy.loadLines('copy', await printed(store))
      const [bucket] = (await copy.summary(dateRequest('kalshi', TICKER, TICKER, utcDate(NOON), 3_600))) as object[]
      expect(bucket).toMatchObject({ best_bid: 0.4, best_bid_size: 1 })
    })
  }))

test('a copy reads NO prices on the scale of YES where the store does', () =>
  withStore(async (store) => {
    const command = '{"id":1,"cmd":"subscribe","params":{"channels":["orderbook_delta"],"use_yes_price":true}}'
    const of = { market_ticker: TICKER, price_dollars: '0.6200', delta_fp: '1.00' }
    const lines = (['yes', 'no'] as const).map((side, i) =>
      JSON.stringify({ type: 'orderbook_delta', msg: { ...of, side, ts_ms: NOON + i } }),
    )
    const levels = { yes_dollars_fp: [['0.1000', '2.00']], no_dollars_fp: [['0.1500', '3.00']] }
    const book = JSON.stringify({ type: 'orderbook_snapshot', msg: { market_ticker: TICKER, ...levels } })
    await store.loadLines('lines', [command, ...lines, `{"recv_ms":${NOON + 2_000},"event":${book}}`])
    const records = await printed(store)
    expect(records.map((record) => JSON.parse(record).use_yes_price)).toEqual([true, true, true])
    const buckets = (of: TestStore) => of.summary(dateRequest('kalshi', TICKER, TICKER, utcDate(NOON), 1))
    expect((await buckets(store)).at(-1)).toMatchObject({ best_bid: 0.1, best_ask: 0.15 })
    await withStore(async (copy) => {
      await copy.loadLines('copy', records)
      expect(await buckets(copy)).toEqual(await buckets(store))
      expect(await printed(copy)).toEqual(records)
    })
  }))

test('a number gives the same record in a column with texts and in one without', () =>
  withStore(async (store) => {
    const small = trade('0.0000001', 1)
    await store.loadLines('texts', [trade('1e400', 0), small])
    expect(await store.loadLines('numbers', [small])).toMatchObject({ recordsAdded: 0 })
  }))

test('numbers that round to one double stay two records', () =>
  withStore(async (store) => {
    const lines = ['9007199254740992', '9007199254740993', '1e400', '-1e400'].map((number) =>
      kalshi(`"price_dollars":[${number},"a"]`),
    )
    for (const [i, line] of lines.entries())
      expect(await store.loadLines(`${i}`, [line])).toMatchObject({ recordsAdded: 1 })
  }))

test('half of a surrogate pair in a body that is a string', () =>
  withStore(async (store) => {
    const message = trade('"0.5"', 0).replace('"A"', '"A","note":"\\ud83d \\ude00x"')
    const raw = JSON.stringify(message).replaceAll('\\\\u', '\\u')
    expect(raw).toContain('"\\ud83d ')
    await store.loadLines('raw', [`{"recv_ms":${NOON},"raw":${raw}}`])
    const [line] = await store.printed('polymarket', CONDITION)
    expect(line).toContain(`"msg":${message}`)
  }))
