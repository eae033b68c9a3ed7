// Wrong values for every parameter of every market endpoint: the fields of the 400, and the message to the client.

import { expect, test } from 'bun:test'
import { moment } from '../../../src/http/parameters/moment.ts'
import { ask, CONDITION, fakeWorkers, TICKER, testApp } from '../../support/server.ts'

const ASSET = '1'.repeat(77)
const POLYMARKET = `condition_id=${CONDITION}`
const KALSHI = `ticker=${TICKER}`
const DAY = 'date=2026-08-10'
const MOMENT = moment('').accepts
const BOUNDS = 'start_timestamp=1786406390&end_timestamp=1786406401'
const INTEGERS = ['', '1e3', '%2B5', '-1', '%205', '5%20', '5.0', '0x10', 'five', 'null', '[5]', '99999999999999999999']

type Body = { code: string; detail: string; errors: { field: string; message: string }[] }

const workers = fakeWorkers()
const app = testApp({ workers })

async function check(path: string, errors: Record<string, string>, code = 'parameters_invalid') {
  const answer = await ask(app, path)
  const body = answer.body as Body
  expect({ path, status: answer.status, code: body.code }).toEqual({ path, status: 400, code })
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(Object.fromEntries(body.errors.map(({ field, message }) => [field, message]))).toEqual(errors)
  expect(body.detail).toStartWith(body.errors[0]!.field)
  expect([workers.pages, workers.summaries]).toEqual([[], []])
}

const given = (text: string, accepted: string) => `must be ${accepted}, got ${JSON.stringify(text)}`
const digits = (min: number, max: number) => `a whole number from ${min} to ${max}`
const HEX = '64 hexadecimal digits, with or without 0x'
const TICKER_RULE = '1 to 128 characters of letters, digits, "-", "." and "_"'
const DAY_RULE = 'a UTC date written YYYY-MM-DD, from 1970-01-01 on'

const EVERY_MARKET_ENDPOINT = [
  '/market/data?date=2026-08-10&',
  `/market/data/range?${BOUNDS}&`,
  '/market/orderbook-summary?date=2026-08-10&',
  '/market/trades?date=2026-08-10&',
  '/market/trade-summary?date=2026-08-10&',
  '/market/depth-summary?date=2026-08-10&',
  '/market/date-range?',
  '/market/coverage?',
]
const withAsset = (endpoint: string) => (endpoint.includes('summary') ? `${endpoint}asset_id=${ASSET}&` : endpoint)

test.each(EVERY_MARKET_ENDPOINT)('/polymarket%s accepts only a condition id', async (endpoint) => {
  const path = `/polymarket${withAsset(endpoint)}`
  await check(path, { condition_id: `is required and must be ${HEX}` })
  for (const wrong of [
    '',
    '0x',
    'ab',
    `${CONDITION}0`,
    CONDITION.slice(0, -1),
    `0x${'g'.repeat(64)}`,
    `${CONDITION} `,
  ]) {
    await check(`${path}condition_id=${encodeURIComponent(wrong)}`, { condition_id: given(wrong, HEX) })
  }
})

test.each(EVERY_MARKET_ENDPOINT)('/kalshi%s accepts only a ticker', async (endpoint) => {
  await check(`/kalshi${endpoint}`, { ticker: `is required and must be ${TICKER_RULE}` })
  for (const wrong of ['', 'A B', 'A/B', 'É', 'A%', 'A\n', ' A']) {
    await check(`/kalshi${endpoint}ticker=${encodeURIComponent(wrong)}`, { ticker: given(wrong, TICKER_RULE) })
  }
  await check(`/kalshi${endpoint}ticker=${'A'.repeat(129)}`, { ticker: given(`${'A'.repeat(100)}…`, TICKER_RULE) })
})

test.each([
  ['/kalshi/market/data', `${KALSHI}&${DAY}`, 'ticker, date, offset, limit, source, format'],
  ['/polymarket/market/data', `${POLYMARKET}&${DAY}`, 'condition_id, date, asset_id, offset, limit, source, format'],
  ['/market/data', `${POLYMARKET}&${DAY}`, 'condition_id, date, asset_id, offset, limit, source, format'],
  [
    '/kalshi/market/data/range',
    `${KALSHI}&${BOUNDS}`,
    'ticker, start_timestamp, end_timestamp, limit, cursor, source, format',
  ],
  ['/kalshi/market/list', '', 'prefix, offset, limit, details'],
  ['/kalshi/market/date-range', KALSHI, 'ticker, source'],
  ['/polymarket/market/coverage', POLYMARKET, 'condition_id, source'],
  [
    '/kalshi/market/orderbook-summary',
    `${KALSHI}&${DAY}`,
    'ticker, date, start_timestamp, end_timestamp, resolution, fill, trust, source, format, columns',
  ],
  [
    '/kalshi/market/trades',
    `${KALSHI}&${DAY}`,
    'ticker, date, start_timestamp, end_timestamp, limit, cursor, source, format, columns',
  ],
  [
    '/polymarket/market/trade-summary',
    `${POLYMARKET}&${DAY}&asset_id=${ASSET}`,
    'condition_id, asset_id, date, start_timestamp, end_timestamp, resolution, fill, source, format, columns',
  ],
])('%s refuses what it does not know', async (path, query, accepted) => {
  const message = `is not a parameter: this endpoint takes ${accepted}`
  await check(`${path}?${query}&resoluton=5`, { resoluton: message })
  await check(`${path}?${query}&LIMIT=5`, { LIMIT: message })
  await check(`${path}?${query}&%2F~x=5`, { '/~x': message })
  await check(`${path}?${query}&=5`, { query: message })
})

test.each([
  ['/kalshi/market/data', `${KALSHI}&${DAY}`, 'limit', digits(1, 100_000), ['0', '100001']],
  ['/kalshi/market/data', `${KALSHI}&${DAY}`, 'offset', digits(0, 9007199254740991), ['9007199254740992']],
  ['/kalshi/market/data/range', `${KALSHI}&${BOUNDS}`, 'limit', digits(1, 100_000), ['0', '100001']],
  ['/polymarket/market/list', '', 'limit', digits(1, 1_000), ['0', '1001']],
  ['/polymarket/market/list', '', 'offset', digits(0, 9007199254740991), ['9007199254740992']],
  ['/kalshi/market/orderbook-summary', `${KALSHI}&${DAY}`, 'resolution', digits(1, 3_600), ['0', '3601']],
  ['/kalshi/market/trade-summary', `${KALSHI}&${DAY}`, 'resolution', digits(1, 3_600), ['0', '3601']],
  ['/kalshi/market/trades', `${KALSHI}&${DAY}`, 'limit', digits(1, 100_000), ['0', '100001']],
] as const)('%s?%s takes %s within its bounds', async (path, query, field, rule, beyond) => {
  for (const wrong of [...INTEGERS, ...beyond]) {
    await check(`${path}?${query}&${field}=${wrong}`, { [field]: given(decodeURIComponent(wrong), rule) })
  }
})

test.each(['data/range', 'orderbook-summary', 'trades', 'trade-summary', 'depth-summary'])(
  '%s accepts only timestamps',
  async (endpoint) => {
    for (const wrong of [...INTEGERS, '253402300800000000', '2026-08-11T01:07:00']) {
      const message = given(decodeURIComponent(wrong), MOMENT)
      const path = `/kalshi/market/${endpoint}?${KALSHI}`
      await check(`${path}&start_timestamp=${wrong}&end_timestamp=1786406401`, { start_timestamp: message })
      await check(`${path}&start_timestamp=1786406390&end_timestamp=${wrong}`, { end_timestamp: message })
    }
  },
)

test.each(['data', 'orderbook-summary', 'trades', 'trade-summary', 'depth-summary'])(
  '%s accepts only calendar days',
  async (endpoint) => {
    for (const wrong of [
      '',
      '2026-02-30',
      '2026-13-01',
      '10-08-2026',
      '2026-8-1',
      'today',
      '1786406390',
      '2026-08-10T00',
    ]) {
      await check(`/kalshi/market/${endpoint}?${KALSHI}&date=${wrong}`, { date: given(wrong, DAY_RULE) })
    }
  },
)

test('data requires a date', () =>
  check(`/kalshi/market/data?${KALSHI}`, { date: `is required and must be ${DAY_RULE}` }))

test('data/range requires both bounds', async () => {
  const required = `is required and must be ${MOMENT}`
  const path = `/kalshi/market/data/range?${KALSHI}`
  await check(path, { start_timestamp: required, end_timestamp: required })
  await check(`${path}&start_timestamp=1`, { end_timestamp: required })
  await check(`${path}&end_timestamp=1`, { start_timestamp: required })
})

test.each(['orderbook-summary', 'trades', 'trade-summary', 'depth-summary'])(
  '%s requires a date or both bounds',
  async (endpoint) => {
    const path = `/kalshi/market/${endpoint}?${KALSHI}`
    const both = 'cannot be combined with start_timestamp or end_timestamp'
    await check(path, { date: 'is required unless start_timestamp and end_timestamp are given' })
    await check(`${path}&start_timestamp=1`, { end_timestamp: 'is required with start_timestamp' })
    await check(`${path}&end_timestamp=1`, { start_timestamp: 'is required with end_timestamp' })
    await check(`${path}&${DAY}&${BOUNDS}`, { date: both })
    await check(`${path}&${DAY}&start_timestamp=1`, { date: both })
  },
)

test.each(['data/range', 'orderbook-summary', 'trades', 'trade-summary', 'depth-summary'])(
  '%s requires bounds in one unit and in order',
  async (endpoint) => {
    const path = `/kalshi/market/${endpoint}?${KALSHI}`
    const message = 'must have the same unit as the other bound, got "5" (seconds) and "1786406401000" (milliseconds)'
    await check(`${path}&start_timestamp=5&end_timestamp=1786406401000`, {
      start_timestamp: message,
      end_timestamp: message,
    })
    await check(`${path}&start_timestamp=3&end_timestamp=2`, {
      start_timestamp: 'must be at most end_timestamp, got "3" and "2"',
    })
  },
)

test.each(['orderbook-summary', 'trade-summary', 'depth-summary'])(
  '%s of more than a million buckets is refused',
  async (endpoint) => {
    const bounds = 'start_timestamp=1780000000&end_timestamp=1781000000'
    const message =
      'must give at most 1000000 buckets, got "1", which gives 1000001: ' + 'ask for longer buckets or a shorter range'
    await check(
      `/kalshi/market/${endpoint}?${KALSHI}&${bounds}&resolution=1`,
      { resolution: message },
      'range_too_long',
    )
  },
)

test('fill accepts only its three values', async () => {
  for (const wrong of ['', 'all', 'NONE', 'true']) {
    const path = `/kalshi/market/orderbook-summary?${KALSHI}&${DAY}&fill=${wrong}`
    await check(path, { fill: given(wrong, 'observed, none or range') })
    const ofTrades = `/kalshi/market/trade-summary?${KALSHI}&${DAY}&fill=${wrong}`
    await check(ofTrades, { fill: given(wrong, 'none or range') })
  }
})

test('asset_id is digits, and a summary requires it', async () => {
  const rule = 'up to 78 decimal digits'
  const [summary, ofTrades] = ['orderbook-summary', 'trade-summary'].map((name) => {
    return `/polymarket/market/${name}?${POLYMARKET}&${DAY}`
  })
  const trades = `/polymarket/market/trades?${POLYMARKET}&${DAY}`
  for (const path of [summary!, ofTrades!]) await check(path, { asset_id: `is required and must be ${rule}` })
  for (const path of [summary!, ofTrades!, trades, `/polymarket/market/data?${POLYMARKET}&${DAY}`]) {
    for (const wrong of ['', '0x1', '-1', '1.0', '9'.repeat(79)]) {
      await check(`${path}&asset_id=${wrong}`, { asset_id: given(wrong, rule) })
    }
  }
  const unknown = 'is not a parameter: this endpoint takes ticker, date, offset, limit, source, format'
  await check(`/kalshi/market/data?${KALSHI}&${DAY}&asset_id=1`, { asset_id: unknown })
})

test.each(EVERY_MARKET_ENDPOINT)('/kalshi%s accepts own or the name of an archive as its source', async (endpoint) => {
  for (const wrong of ['', 'OWN', 'own,pmxt-v2', '-a', 'a'.repeat(65), 'a b']) {
    const source = given(wrong, 'own, or the name of an archive as market/coverage has it')
    await check(`/kalshi${endpoint}${KALSHI}&source=${encodeURIComponent(wrong)}`, { source })
  }
})

test('a prefix uses the alphabet of the ids', async () => {
  const hex = 'up to 64 hexadecimal digits, with or without 0x'
  await check('/polymarket/market/list?prefix=0xg', { prefix: given('0xg', hex) })
  await check(`/polymarket/market/list?prefix=${'a'.repeat(65)}`, { prefix: given('a'.repeat(65), hex) })
  const rule = 'up to 128 characters of letters, digits, "-", "." and "_"'
  await check('/kalshi/market/list?prefix=KX%2A', { prefix: given('KX*', rule) })
})

test('raw data of Polymarket before 2026-02-08 is refused, summaries and Kalshi are not', async () => {
  await check(
    `/market/data?${POLYMARKET}&date=2026-02-07`,
    { date: 'must be 2026-02-08 or later, got "2026-02-07"' },
    'date_too_early',
  )
  await check(
    `/market/data/range?${POLYMARKET}&start_timestamp=1770508799&end_timestamp=1770508801`,
    { start_timestamp: 'must be 1770508800000 ms (2026-02-08) or later, got "1770508799"' },
    'date_too_early',
  )
  const fine = [
    `/market/data?${POLYMARKET}&date=2026-02-08`,
    `/market/data/range?${POLYMARKET}&start_timestamp=1770508800&end_timestamp=1770508801`,
    `/market/orderbook-summary?${POLYMARKET}&asset_id=1&date=2025-09-01`,
    `/kalshi/market/data?${KALSHI}&date=2026-02-07`,
  ]
  for (const path of fine) expect((await ask(testApp(), path)).status).toBe(200)
})

test('an invalid cursor is refused', async () => {
  for (const endpoint of ['data/range', 'trades']) await checkCursors(`/kalshi/market/${endpoint}?${KALSHI}&${BOUNDS}`)
})

async function checkCursors(path: string) {
  const foreign = 'must be the next_cursor of a page of the same query; this one is damaged or from another query'
  await check(`${path}&cursor=`, { cursor: given('', 'the next_cursor of the page before') })
  await check(`${path}&cursor=a.b`, { cursor: given('a.b', 'the next_cursor of the page before') })
  await check(`${path}&cursor=abcd`, { cursor: foreign }, 'cursor_invalid')
}

test('all wrong parameters are reported at once', () =>
  check('/kalshi/market/data?ticker=&date=x&limit=0&a=1', {
    a: 'is not a parameter: this endpoint takes ticker, date, offset, limit, source, format',
    ticker: given('', TICKER_RULE),
    date: given('x', DAY_RULE),
    limit: given('0', digits(1, 100_000)),
  }))
