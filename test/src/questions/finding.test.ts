// Goal: info, search, the calendar and the busiest markets return what is known and stored, over HTTP, with every
// implementation of the store.

import { describe, expect, test } from 'bun:test'
import { kalshiGap, NOON, TICKER } from '../../model/lines.ts'
import { capture, hasCaptures } from '../../support/captures.ts'
import { AUTHORIZED, ask, fakeAccounts, testApp } from '../../support/server.ts'
import { type AnyStore, STORE_KINDS, withStoreOf } from '../../support/store.ts'

const CONDITION = `0x${'ab'.repeat(32)}`
const UNKNOWN = `0x${'0'.repeat(64)}`
const KALSHI = {
  ...{ ticker: TICKER, event_ticker: 'KXTEST', title: 'Is this a test?', yes_sub_title: 'It is', status: 'finalized' },
  ...{ open_time: '2026-08-10T21:45:00Z', close_time: '2026-08-10T22:00:00Z' },
  ...{ result: 'scalar', settlement_value_dollars: '0.2500' },
  ...{ settlement_ts: '2026-08-10T22:00:05.462145Z', rules_primary: 'One.', rules_secondary: 'Two.' },
  price_ranges: [{ start: '0.0000', end: '1.0000', step: '0.0100' }],
}
const GAMMA = {
  ...{ conditionId: CONDITION, question: 'Up or Down?', slug: 'up-or-down', outcomes: '["Up", "Down"]', active: true },
  ...{ clobTokenIds: '["11", "22"]', closed: true, closedTime: '2026-07-24 00:00:16+00', outcomePrices: '["1", "0"]' },
  ...{ umaResolutionStatus: 'resolved', orderPriceMinTickSize: 0.001, description: 'By the price.' },
  events: [{ slug: 'coin-flips', title: 'Coin flips' }],
}

const trade = (ms: number, contracts: string, market_ticker = TICKER) => {
  const msg = { market_ticker, ts_ms: NOON + ms, trade_id: `${ms}`, yes_price_dollars: '0.5', count_fp: contracts }
  return { type: 'trade', sid: 2, seq: ms, msg }
}

describe.each(STORE_KINDS)('in a store on %s', (kind) => {
  const withApp = (run: (get: (path: string) => Promise<Answered>, store: AnyStore) => Promise<void>) =>
    withStoreOf(kind, async (store) => {
      const event = { event: { event_ticker: 'KXTEST', title: 'Tests' }, markets: [KALSHI] }
      const lines = [trade(0, '5'), trade(1, '2.5'), event, GAMMA]
      await store.loadLines(
        'c.ndjson',
        lines.map((line) => JSON.stringify(line)),
      )
      const app = testApp({ catalogue: store.store.catalogue })
      await run(async (path) => {
        const { status, body } = await ask(app, path)
        return { status, body: body as Record<string, unknown> }
      }, store)
    })

  test('info of a market of Kalshi', () =>
    withApp(async (get) => {
      const { body } = await get(`/api/v1/kalshi/market/info?ticker=${TICKER.toLowerCase()}`)
      const { said, loaded_at, ...info } = body
      expect(info).toEqual({
        market_ticker: TICKER,
        ...{ title: 'Is this a test?', subtitle: null, slug: null, event: { id: 'KXTEST', title: 'Tests' } },
        outcomes: [
          { outcome: 'Yes', title: 'It is', asset_id: null },
          { outcome: 'No', title: null, asset_id: null },
        ],
        open_timestamp: Date.parse('2026-08-10T21:45:00Z'),
        close_timestamp: Date.parse('2026-08-10T22:00:00Z'),
        settlement_timestamp: Date.parse('2026-08-10T22:00:05.462Z'),
        ...{ status: 'finalized', result: 'split', settlement_value: 0.25, strike: null, strike_kind: null },
        ...{ tick_size: 0.01, price_ranges: [{ start: 0, end: 1, step: 0.01 }] },
        rules: 'One.\n\nTwo.',
        ...{ has_data: true, start_date: '2026-08-10', end_date: '2026-08-10' },
        ...{ available_date_count: 1, record_count: 2 },
      })
      expect(said).toEqual({ market: KALSHI, event: { event_ticker: 'KXTEST', title: 'Tests' } })
      expect(loaded_at).toBeWithin(Date.now() - 60_000, Date.now() + 1)
    }))

  test('a later document does not change fields of an outcome that it leaves out', () =>
    withApp(async (get, store) => {
      const { outcomes, question, conditionId } = GAMMA
      const later = [
        { outcomes, question, conditionId },
        { ticker: TICKER, event_ticker: 'KXTEST', no_sub_title: 'Not' },
      ]
      await store.loadLines(
        'd.ndjson',
        later.map((line) => JSON.stringify(line)),
      )
      expect((await get(`/polymarket/market/info?condition_id=${CONDITION}`)).body['outcomes']).toEqual([
        { outcome: 'Up', title: null, asset_id: '11' },
        { outcome: 'Down', title: null, asset_id: '22' },
      ])
      expect((await get(`/kalshi/market/info?ticker=${TICKER}`)).body['outcomes']).toEqual([
        { outcome: 'Yes', title: 'It is', asset_id: null },
        { outcome: 'No', title: 'Not', asset_id: null },
      ])
    }))

  test('info of a market of Polymarket without records, and of an unknown market', () =>
    withApp(async (get) => {
      const { body } = await get(`/polymarket/market/info?condition_id=${CONDITION.toUpperCase().replace('0X', '')}`)
      expect(body).toMatchObject({
        ...{ market_condition_id: CONDITION, title: 'Up or Down?', slug: 'up-or-down', has_data: false },
        ...{ event: { id: 'coin-flips', title: 'Coin flips' }, status: 'resolved', result: 'Up' },
        ...{ settlement_value: 1, tick_size: 0.001 },
        ...{ settlement_timestamp: Date.parse('2026-07-24T00:00:16Z'), open_timestamp: null, price_ranges: null },
        outcomes: [{ outcome: 'Up', asset_id: '11' }, { asset_id: '22' }],
        ...{ rules: 'By the price.', start_date: null, record_count: 0 },
      })
      expect(await get(`/polymarket/market/info?condition_id=${UNKNOWN}`)).toMatchObject({
        ...{ status: 404, body: { code: 'market_not_stored' } },
      })
    }))

  test('info of a market with only records', () =>
    withStoreOf(kind, async (store) => {
      await store.loadLines('c.ndjson', [JSON.stringify(trade(0, '5'))])
      const { body } = await ask(testApp({ catalogue: store.store.catalogue }), `/kalshi/market/info?ticker=${TICKER}`)
      expect(body).toMatchObject({ title: null, event: null, outcomes: [], status: null, said: null, loaded_at: null })
      expect(body).toMatchObject({ has_data: true, record_count: 1 })
    }))

  test.each([
    ['test', 'kalshi', TICKER],
    ['TESTS is', 'kalshi', TICKER],
    [TICKER.toLowerCase(), 'kalshi', TICKER],
    ['coin flip', 'polymarket', CONDITION],
    ['Dówn up', 'polymarket', CONDITION],
    ['0xabab', 'polymarket', CONDITION],
  ])('search for %p', (q, venue, market) =>
    withApp(async (get) => {
      const path = `/search?q=${encodeURIComponent(q)}`
      const { body } = await get(path)
      expect(body['data']).toMatchObject([{ venue, market }])
      expect((await get(`/api/v1${path}&venue=${venue}`)).body).toEqual(body)
      const other = venue === 'kalshi' ? 'polymarket' : 'kalshi'
      expect((await get(`${path}&venue=${other}&limit=100`)).body).toEqual({ q, data_count: 0, data: [] })
    }),
  )

  test('the calendar has every date of its range', () =>
    withApp(async (get, store) => {
      const inBetween = '2026-08-11'
      const later = trade(2 * 86_400_000, '1')
      await store.loadLines(
        'd.ndjson',
        [later, kalshiGap(2 * 86_400_000 + 5)].map((line) => JSON.stringify(line)),
      )
      const { body } = await get('/kalshi/calendar')
      expect(body).toMatchObject({ from: '2026-08-10', to: '2026-08-12', data_count: 3 })
      expect(body['data']).toMatchObject([
        { date: '2026-08-10', condition: 'available', markets: 1, records: 2, trades: 2, volume: 7.5, gaps: 0 },
        { date: inBetween, condition: 'missing', markets: 0, records: 0, incidents: [] },
        { date: '2026-08-12', condition: 'degraded', markets: 1, records: 2, gaps: 1 },
      ])
      expect((await get('/kalshi/calendar?from=2026-08-12&to=2026-08-12')).body['data_count']).toBe(1)
      const alone = ['from=2026-08-12', 'from=2026-08-20', 'to=2026-08-10', 'to=2026-08-01'].map(async (bound) => {
        const { from, to, data_count: count } = (await get(`/kalshi/calendar?${bound}`)).body
        return [from, to, count]
      })
      expect(await Promise.all(alone)).toEqual([
        ['2026-08-12', '2026-08-12', 1],
        ['2026-08-20', '2026-08-20', 1],
        ['2026-08-10', '2026-08-10', 1],
        ['2026-08-01', '2026-08-01', 1],
      ])
      const known = (await get('/kalshi/calendar?from=2026-04-24&to=2026-04-24')).body['data']
      expect(known).toMatchObject([{ condition: 'missing', incidents: ['parser_issue'] }])
      expect((await get('/polymarket/calendar')).body).toEqual({ from: null, to: null, data_count: 0, data: [] })
    }))

  test('the busiest markets of a date', () =>
    withApp(async (get, store) => {
      const other = JSON.stringify(trade(5, '100', 'KXOTHER'))
      await store.loadLines('d.ndjson', [other])
      const active = async (query: string) => (await get(`/kalshi/markets/active?date=2026-08-10${query}`)).body
      const rowOf = ({ market, title, records, trades, volume, gaps, gap_ms }: Record<string, unknown>) =>
        [market, title, records, trades, volume, gaps, gap_ms] as const
      const markets = async (query: string) => ((await active(query))['data'] as Record<string, unknown>[]).map(rowOf)
      const [busy, most] = [
        [TICKER, 'Is this a test?', 2, 2, 7.5, 0, 0] as const,
        ['KXOTHER', null, 1, 1, 100, 0, 0] as const,
      ]
      expect(await markets('')).toEqual([busy, most])
      expect(await markets('&by=trades&limit=1')).toEqual([busy])
      expect(await markets('&by=volume')).toEqual([most, busy])
      expect(await markets('&by=market')).toEqual([TICKER, 'KXOTHER'].sort().map((id) => (id === TICKER ? busy : most)))
      expect(await markets('&q=TEST+this')).toEqual([busy])
      expect(await active('&q=test&limit=1')).toMatchObject({ data_count: 1, total_count: 1, has_more: false })
      expect(await active('&limit=1')).toMatchObject({
        data_count: 1,
        offset: 0,
        limit: 1,
        total_count: 2,
        has_more: true,
      })
      expect(await active('&limit=1&offset=1')).toMatchObject({ data: [{ market: 'KXOTHER' }], has_more: false })
      expect(await active('&offset=2')).toMatchObject({ data_count: 0, total_count: 2, has_more: false })
      const page = { offset: 0, limit: 20, total_count: 0, has_more: false }
      expect(await active('&q=nothing')).toEqual({ date: '2026-08-10', data_count: 0, data: [], ...page })
    }))

  test('a list with details', () =>
    withApp(async (get) => {
      const details = { title: 'Is this a test?', has_data: true, record_count: 2, available_date_count: 1 }
      const dates = { start_date: '2026-08-10', end_date: '2026-08-10' }
      expect((await get('/kalshi/market/list?details=true')).body).toMatchObject({
        markets: [TICKER],
        details: [{ market: TICKER, ...details, ...dates }],
      })
      expect((await get('/kalshi/market/list?details=false')).body).not.toHaveProperty('details')
    }))

  test('a tag is valid until the answer changes', () =>
    withApp(async (_, store) => {
      const app = testApp({ catalogue: store.store.catalogue })
      const paths = [
        ...[`/kalshi/market/info?ticker=${TICKER}`, '/search?q=test', '/kalshi/calendar'],
        ...['/kalshi/markets/active?date=2026-08-10', '/kalshi/market/list?details=true'],
      ]
      const tags = async () => Promise.all(paths.map(async (path) => (await ask(app, path)).headers.get('etag')!))
      const before = await tags()
      expect(await tags()).toEqual(before)
      expect(new Set(before).size).toBe(paths.length)
      const headers = { ...AUTHORIZED, 'if-none-match': before[1]! }
      expect((await ask(app, paths[1]!, { headers })).status).toBe(304)
      await store.loadLines('d.ndjson', [JSON.stringify(trade(9, '1'))])
      expect((await tags()).filter((tag) => before.includes(tag))).toEqual([])
    }))
})

test.each([
  ['/search', 'q', 'is required and must be up to 200 characters with a letter or digit among them'],
  ['/search?q=', 'q', 'must be up to 200 characters with a letter or digit among them, got ""'],
  ['/search?q=-', 'q', 'must be up to 200 characters with a letter or digit among them, got "-"'],
  ['/search?q=a&limit=101', 'limit', 'must be a whole number from 1 to 100, got "101"'],
  ['/search?q=a&limit=0', 'limit', 'must be a whole number from 1 to 100, got "0"'],
  ['/search?q=a&venue=x', 'venue', 'must be polymarket or kalshi, got "x"'],
  [
    '/kalshi/calendar?from=2026-02-30',
    'from',
    'must be a UTC date written YYYY-MM-DD, from 1970-01-01 on, got "2026-02-30"',
  ],
  ['/kalshi/calendar?from=2026-08-02&to=2026-08-01', 'from', 'must be at or before to (2026-08-01), got "2026-08-02"'],
  [
    '/kalshi/calendar?from=2000-01-01&to=2026-08-01',
    'to',
    'must be such that there are at most 3660 days from 2000-01-01 to 2026-08-01, got "2026-08-01"',
  ],
  ['/kalshi/markets/active', 'date', 'is required and must be a UTC date written YYYY-MM-DD, from 1970-01-01 on'],
  ['/kalshi/markets/active?date=2026-08-01&by=size', 'by', 'must be records, trades, volume or market, got "size"'],
  [
    '/kalshi/markets/active?date=2026-08-01&offset=-1',
    'offset',
    'must be a whole number from 0 to 9007199254740991, got "-1"',
  ],
  [
    '/kalshi/markets/active?date=2026-08-01&q=-',
    'q',
    'must be up to 200 characters with a letter or digit among them, got "-"',
  ],
  ['/kalshi/markets/active?date=2026-08-01&limit=1001', 'limit', 'must be a whole number from 1 to 1000, got "1001"'],
  ['/kalshi/market/list?details=yes', 'details', 'must be true or false, got "yes"'],
  ['/kalshi/market/info', 'ticker', 'is required and must be 1 to 128 characters of letters, digits, "-", "." and "_"'],
])('%s is refused', async (path, field, message) => {
  const { status, body } = await ask(testApp({}), path)
  expect([status, body]).toEqual([400, expect.objectContaining({ errors: [{ field, message }] })])
})

test('a key for one venue searches only that venue', async () => {
  const key = { keyId: 'key_1', secretSha256: 'aa', userId: 'user', plan: 'free', scopes: ['kalshi' as const] }
  const app = testApp({ accounts: { ...fakeAccounts, authenticate: () => ({ ok: true, key }) } })
  const answers = ['/search?q=a', '/search?q=a&venue=polymarket', '/search?q=a&venue=kalshi', '/polymarket/calendar']
  const statuses = await Promise.all(answers.map(async (path) => (await ask(app, path)).status))
  expect(statuses).toEqual([403, 403, 200, 403])
  expect((await testApp({}).fetch(new Request('http://localhost/search?q=a'))).status).toBe(401)
})

type Answered = { status: number; body: Record<string, unknown> }

test.skipIf(!hasCaptures)('real markets', () =>
  withStoreOf('lmdb', async (store) => {
    await store.load(
      capture('kalshi/KXGOLD15M-26AUG102000.json'),
      capture('kalshi/KXGOLD15M-26AUG102000-00/2026-08-11.ndjson.gz'),
    )
    const app = testApp({ catalogue: store.store.catalogue })
    const { body } = await ask(app, '/kalshi/market/info?ticker=KXGOLD15M-26AUG102000-00')
    expect(body).toMatchObject({ title: 'Gold price up in next 15 mins?', has_data: true, tick_size: 0.01 })
    expect((await ask(app, '/search?q=gold')).body).toMatchObject({ data: [{ end_date: '2026-08-11' }] })
  }),
)
