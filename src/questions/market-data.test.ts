// Tests market/data: the envelope, and the requests to the workers.

import { expect, test } from 'bun:test'
import { ask, CONDITION, fakeWorkers, jsonBytes, TICKER, testApp } from '../../test/support/server.ts'
import type { PageAnswer } from '../../workers/requests.ts'

const page: PageAnswer = {
  dataCount: 1,
  hasMore: true,
  totalCount: 9,
  next: null,
  data: { bytes: jsonBytes([{ a: 1 }]) },
}

async function askData(path: string) {
  const workers = fakeWorkers({ page })
  const { status, body } = await ask(testApp({ workers }), path)
  return { status, body, requests: workers.pages }
}

test('the envelope has the pagination twice', async () => {
  const { body, requests } = await askData(`/kalshi/market/data?ticker=${TICKER}&date=2026-08-10&offset=3&limit=1`)
  const pagination = { offset: 3, limit: 1, total_count: 9, has_more: true }
  expect(body).toEqual({
    market_ticker: TICKER,
    date: '2026-08-10',
    data_count: 1,
    ...pagination,
    pagination,
    data: [{ a: 1 }],
  })
  expect(requests).toEqual([
    { venue: 'kalshi', market: TICKER, book: null, limit: 1, scope: { date: '2026-08-10', offset: 3 } },
  ])
})

test('returns the first ten thousand records by default', async () => {
  const { requests } = await askData(`/kalshi/market/data?ticker=${TICKER}&date=2026-08-10`)
  expect(requests[0]).toMatchObject({ limit: 10_000, scope: { offset: 0 } })
})

test.each(['/market/data', '/polymarket/market/data', '/api/v1/market/data', '/api/v1/polymarket/market/data'])(
  '%s filters by asset_id',
  async (path) => {
    const { body, requests } = await askData(
      `${path}?condition_id=${CONDITION}&date=2026-08-10&asset_id=12&limit=100000`,
    )
    expect(requests[0]).toMatchObject({ venue: 'polymarket', market: CONDITION, book: '12', limit: 100_000 })
    expect(body).toMatchObject({ market_condition_id: CONDITION })
  },
)

test('a market without stored data is 404', async () => {
  const { status, body, requests } = await askData('/kalshi/market/data?ticker=NONE&date=2026-08-10')
  expect([status, (body as { code: string }).code]).toEqual([404, 'market_not_stored'])
  expect(requests).toEqual([])
})
