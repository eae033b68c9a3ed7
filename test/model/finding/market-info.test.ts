// Tests merged descriptions of markets on small documents and on real ones.

import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { hasCaptures, capture as realCapture } from '../../support/captures.ts'
import { CONDITION, capture, kalshiDelta, TICKER } from '../lines.ts'
import { loadCaptures } from '../model.ts'
import * as made from '../questions/made-lines.ts'
import { modelAsk } from '../questions/model-ask.ts'

const info = (...documents: object[]) =>
  made.asking(...documents.map((document) => JSON.stringify(document)))('/kalshi/market/info', { ticker: TICKER })
const gammaInfo = (...documents: object[]) => {
  const ask = made.asking(...documents.map((document) => JSON.stringify(document)))
  return ask('/polymarket/market/info', { condition_id: CONDITION })
}
const market = (more: object = {}) => ({ ticker: TICKER, event_ticker: 'KXTEST', title: 'Up?', ...more })
const gamma = (more: object = {}) => ({ conditionId: CONDITION, question: 'Up?', slug: 'up', ...more })
const UNKNOWN = {
  ...{ subtitle: null, slug: null, outcomes: [], open_timestamp: null, close_timestamp: null, status: null },
  ...{ settlement_timestamp: null, result: null, settlement_value: null, tick_size: null, price_ranges: null },
  ...{ strike: null, strike_kind: null },
  ...{ rules: null, has_data: false },
  ...{ start_date: null, end_date: null, available_date_count: 0, record_count: 0, said: null },
}

describe('metadata', () => {
  test('alone, in a page, and with its event', async () => {
    const event = { event_ticker: 'KXTEST', title: 'Tests' }
    const unnamed = { id: 'KXTEST', title: null }
    const alone = {
      market_ticker: TICKER,
      ...UNKNOWN,
      title: 'Up?',
      event: unnamed,
      said: { market: market(), event: null },
    }
    for (const document of [
      market(),
      { market: market() },
      { markets: [market()], cursor: '' },
      { response: { market: market() } },
    ]) {
      expect(await info(document)).toEqual(alone)
    }
    expect(await info({ event, markets: [market()] })).toEqual({
      ...alone,
      event: { id: 'KXTEST', title: 'Tests' },
      said: { market: market(), event },
    })
    expect(await info(market(), { event })).toMatchObject({ event: { title: 'Tests' } })
    const inEvent = { id: 'tests', title: 'Tests' }
    expect(await gammaInfo({ slug: 'tests', title: 'Tests', markets: [gamma()] })).toMatchObject({ event: inEvent })
    expect(await gammaInfo(gamma({ events: [{ slug: 'tests', title: 'Tests' }] }))).toMatchObject({ event: inEvent })
    expect(await gammaInfo(gamma())).toMatchObject({ title: 'Up?', slug: 'up', event: null })
  })
  test('the later description counts: by the time of the venue, else by the time of loading', async () => {
    const at = (hour: number, title: string) => market({ title, updated_time: `2026-08-10T0${hour}:00:00.5Z` })
    expect(await info(at(1, 'one'), at(2, 'two'))).toMatchObject({ title: 'two' })
    expect(await info(at(2, 'two'), at(1, 'one'))).toMatchObject({ title: 'two' })
    expect(await info(market({ title: 'one' }), at(1, 'two'), market({ title: 'three' }))).toMatchObject({
      title: 'three',
    })
  })
  test('does not lose values that were known', async () => {
    const full = market({
      status: 'active',
      result: 'yes',
      open_time: '2026-08-10T12:00:00Z',
      price_ranges: [{ start: '0', end: '1', step: '0.01' }],
    })
    const bare = market({ title: '', status: null, result: '', open_time: '0001-01-01T00:00:00Z', price_ranges: [] })
    const known = { title: 'Up?', status: 'active', result: 'yes', open_timestamp: 1_786_363_200_000 }
    const ranges = { price_ranges: [{ start: 0, end: 1, step: 0.01 }] }
    expect(await info(full, bare)).toMatchObject({ ...known, ...ranges })
    expect(await info(bare, full)).toMatchObject({ ...known, ...ranges })
  })
  test('a settlement between the outcomes has the same result on both venues', async () => {
    const settled = market({ result: 'scalar', settlement_value_dollars: '0.5000' })
    expect(await info(settled)).toMatchObject({ result: 'split', settlement_value: 0.5 })
    expect(await info(market({ settlement_value_dollars: '0.0000' }))).toMatchObject({ settlement_value: null })
  })
  test('is unknown for a market with records only; a market without records has no answer', async () => {
    const ask = made.asking(capture(kalshiDelta(0, '0.4', '1'), kalshiDelta(3 * made.DAY_MS, '0.4', '1')))
    const dates = { start_date: '2026-08-10', end_date: '2026-08-13', available_date_count: 2, record_count: 2 }
    expect(await ask('/kalshi/market/info', { ticker: TICKER })).toEqual({
      ...{ market_ticker: TICKER, title: null, event: null },
      ...UNKNOWN,
      ...{ has_data: true, ...dates },
    })
    expect(ask('/kalshi/market/info', { ticker: 'KXNONE' })).rejects.toThrow('nothing is known')
  })
})

describe.skipIf(!hasCaptures)('real documents', () => {
  const NOW = Date.parse('2026-11-01')
  test('of Kalshi: a market that is settled', async () => {
    const ask = modelAsk(loadCaptures([realCapture('kalshi/KXGOLD15M-26AUG102115.json')], NOW), NOW)
    expect(await ask('/kalshi/market/info', { ticker: 'KXGOLD15M-26AUG102115-15' })).toMatchObject({
      title: 'Gold price up in next 15 mins?',
      event: { id: 'KXGOLD15M-26AUG102115', title: 'Gold 15 min · $4,409.59 target' },
      outcomes: [
        { outcome: 'Yes', title: 'Target Price: $4,409.59', asset_id: null },
        { outcome: 'No', title: 'Target price: TBD', asset_id: null },
      ],
      open_timestamp: Date.parse('2026-08-11T01:00:00Z'),
      close_timestamp: Date.parse('2026-08-11T01:15:00Z'),
      settlement_timestamp: Date.parse('2026-08-11T01:15:05.466Z'),
      status: 'finalized',
      ...{ result: 'yes', settlement_value: 1, strike: 4409.59, strike_kind: 'greater_or_equal' },
      price_ranges: [{ start: 0, end: 1, step: 0.01 }],
      rules: expect.stringMatching(/^If the close price(?:.|\n)*resolves to Yes\.\n\nThe settlement value/),
    })
  })
  test('of Gamma: 31 markets, and 292 under another key, of which some are closed', async () => {
    const files = readdirSync(realCapture('polymarket/gamma')).map((name) => realCapture(`polymarket/gamma/${name}`))
    const model = loadCaptures(files, NOW)
    expect(model.rejects).toEqual([])
    const ask = modelAsk(model, NOW)
    const condition_id = '0x11ba5a5ab05573dee22a32b4c5bec06f035b8660eed912fb134e7215f46bf537'
    expect(await ask('/polymarket/market/info', { condition_id })).toMatchObject({
      title: 'Bitcoin Up or Down - July 23, 7:55PM-8:00PM ET',
      slug: 'btc-updown-5m-1784850900',
      outcomes: [
        { outcome: 'Up', asset_id: '72690798903588392269001731007662425920353908498880709179939493847828858696064' },
        { outcome: 'Down', asset_id: '57726118860664877408225679006057036191805241206083874875095996065406561439567' },
      ],
      settlement_timestamp: Date.parse('2026-07-24T00:00:16Z'),
      ...{ status: 'resolved', result: 'Up', settlement_value: 1, has_data: false },
    })
    const argentina = '0x0c4cd2055d6ea89354ffddc55d6dbcef9355748112ea952fc925f3db6a5c457f'
    expect(await ask('/polymarket/market/info', { condition_id: argentina })).toMatchObject({
      ...{ status: 'active', result: null, tick_size: 0.001 },
      event: { id: 'world-cup-winner', title: 'World Cup Winner ' },
    })
  })
})
