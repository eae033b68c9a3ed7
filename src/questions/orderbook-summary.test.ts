// Tests market/orderbook-summary: the envelope, and the requests to the workers.

import { expect, test } from 'bun:test'
import { AUTHORIZED, ask, CONDITION, fakeWorkers, jsonBytes, TICKER, testApp } from '../../test/support/server.ts'

const ASSET = '2'.repeat(76)
const NOW_MS = Date.UTC(2026, 7, 12, 12)

async function askSummary(path: string) {
  const data = { bytes: jsonBytes([{ timestamp: 1 }]) }
  const workers = fakeWorkers({ summary: { dataPoints: 1, data } })
  const { status, text } = await ask(testApp({ workers }), path, { headers: AUTHORIZED })
  return { status, text, requests: workers.summaries }
}

test('a Kalshi day, in the order of the contract', async () => {
  const { text, requests } = await askSummary('/kalshi/market/orderbook-summary?ticker=kxtest-26aug10&date=2026-08-10')
  expect(text).toBe(
    `{"market_ticker":"${TICKER}","date":"2026-08-10","resolution_seconds":60,"data_points":1,"data":[{"timestamp":1}]}`,
  )
  expect(requests).toEqual([
    {
      venue: 'kalshi',
      market: TICKER,
      book: TICKER,
      fromMs: Date.UTC(2026, 7, 10),
      toMs: Date.UTC(2026, 7, 11) - 1,
      resolutionSeconds: 60,
      fill: 'observed',
      nowMs: NOW_MS,
      timestampUnit: 'ms',
    },
  ])
})

test('a Polymarket window in seconds returns its bounds as in the request', async () => {
  const bounds = 'start_timestamp=1786406390&end_timestamp=1786406401&resolution=7&fill=range'
  const id = CONDITION.slice(2).toUpperCase()
  const { text, requests } = await askSummary(
    `/market/orderbook-summary?condition_id=${id}&asset_id=${ASSET}&${bounds}`,
  )
  expect(text).toBe(
    `{"market_condition_id":"${CONDITION}","asset_id":"${ASSET}","date":null,"start_timestamp":1786406390,` +
      '"end_timestamp":1786406401,"resolution_seconds":7,"data_points":1,"data":[{"timestamp":1}]}',
  )
  expect(requests[0]).toMatchObject({
    market: CONDITION,
    book: ASSET,
    fromMs: 1_786_406_390_000,
    toMs: 1_786_406_401_999,
    resolutionSeconds: 7,
    fill: 'range',
    timestampUnit: 's',
  })
})

test('a window in RFC 3339 and microseconds is answered in ms', async () => {
  const bounds = 'start_timestamp=2026-08-11T00:39:50Z&end_timestamp=1786408801999999'
  const { text, requests } = await askSummary(`/kalshi/market/orderbook-summary?ticker=${TICKER}&${bounds}`)
  expect(text).toContain('"date":null,"start_timestamp":1786408790000,"end_timestamp":1786408801999,')
  const request = { fromMs: 1_786_408_790_000, toMs: 1_786_408_801_999, timestampUnit: 'ms' } as const
  expect(requests[0]).toMatchObject(request)
})

test.each(['0x', '0X', ''])('a condition id is taken with %p before it, in upper or lower case', async (before) => {
  const id = `${before}${'AB'.repeat(32)}`
  const { requests } = await askSummary(
    `/polymarket/market/orderbook-summary?condition_id=${id}&asset_id=1&date=2026-08-10`,
  )
  expect(requests[0]?.market).toBe(CONDITION)
})

test('a market without stored data is 404, and starts no task', async () => {
  const { status, text, requests } = await askSummary('/kalshi/market/orderbook-summary?ticker=NONE&date=2026-08-10')
  expect([status, JSON.parse(text).code]).toEqual([404, 'market_not_stored'])
  expect(requests).toEqual([])
})

test('all three mounts answer alike under both prefixes', async () => {
  const query = `orderbook-summary?condition_id=${CONDITION}&asset_id=${ASSET}&date=2026-08-10`
  const mounts = ['/polymarket/market', '/market', '/api/v1/polymarket/market', '/api/v1/market']
  const answers = await Promise.all(mounts.map((mount) => askSummary(`${mount}/${query}`)))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
})
