// Tests market/data/range: the envelope and its cursors.

import { expect, test } from 'bun:test'
import { ask, CONDITION, fakeCatalogue, fakeWorkers, jsonBytes, TICKER, testApp } from '../../test/support/server.ts'
import type { PageAnswer, Position } from '../../workers/requests.ts'

const NEXT: Position = { date: '2026-08-10', record: 5, revision: 2 }
const SECONDS = 'start_timestamp=1786406390&end_timestamp=1786406401'
const MILLISECONDS = 'start_timestamp=1786406390000&end_timestamp=1786406401999'
const KALSHI = `/kalshi/market/data/range?ticker=${TICKER}`

async function askRange(path: string, next: Position | null = null, catalogue = fakeCatalogue()) {
  const data = { bytes: jsonBytes([]) }
  const page: PageAnswer = { dataCount: 0, hasMore: next !== null, totalCount: null, next, data }
  const workers = fakeWorkers({ page })
  const { status, body } = await ask(testApp({ workers, catalogue }), path)
  return { status, body: body as Record<string, unknown>, requests: workers.pages }
}

test('the envelope has its bounds in milliseconds and the pagination twice', async () => {
  const { body, requests } = await askRange(`${KALSHI}&${SECONDS}&limit=7`)
  const pagination = { limit: 7, has_more: false, next_cursor: null }
  expect(body).toEqual({
    market_ticker: TICKER,
    start_timestamp: 1_786_406_390_000,
    end_timestamp: 1_786_406_401_999,
    data_count: 0,
    ...pagination,
    pagination,
    data: [],
  })
  const scope = { fromMs: 1_786_406_390_000, toMs: 1_786_406_401_999, after: null }
  expect(requests).toEqual([{ venue: 'kalshi', market: TICKER, book: null, limit: 7, scope }])
})

test('a cursor continues where the page ended, with any limit, and with the same bounds in either unit', async () => {
  const { body } = await askRange(`${KALSHI}&${SECONDS}`, NEXT)
  expect(body['has_more']).toBe(true)
  const cursor = String(body['next_cursor'])
  for (const query of [SECONDS, MILLISECONDS]) {
    const { status, requests } = await askRange(`${KALSHI}&${query}&limit=3&cursor=${cursor}`)
    expect(status).toBe(200)
    expect(requests[0]).toMatchObject({ limit: 3, scope: { after: NEXT } })
  }
})

test('a cursor of another query, or of another store, is refused', async () => {
  const polymarket = `/market/data/range?condition_id=${CONDITION}&${SECONDS}`
  const { body } = await askRange(`${polymarket}&asset_id=1`, NEXT)
  const cursor = `cursor=${String(body['next_cursor'])}`
  const otherStore = fakeCatalogue({ cursorSecret: () => new Uint8Array(32) })
  const answers = await Promise.all([
    askRange(`${polymarket}&asset_id=2&${cursor}`),
    askRange(`${polymarket}&${cursor}`),
    askRange(`${KALSHI}&${SECONDS}&${cursor}`),
    askRange(`${polymarket.replace('1786406390', '1786406391')}&asset_id=1&${cursor}`),
    askRange(`${polymarket}&asset_id=1&${cursor}`, null, otherStore),
  ])
  expect(answers.map(({ status, body: { code } }) => [status, code])).toEqual(
    answers.map(() => [400, 'cursor_invalid']),
  )
  expect(answers.flatMap(({ requests }) => requests)).toEqual([])
})

test.each(['/market', '/polymarket/market', '/api/v1/market', '/api/v1/polymarket/market'])(
  'a cursor is good at every path of its query, %s',
  async (mount) => {
    const query = `condition_id=${CONDITION}&${SECONDS}`
    const { body } = await askRange(`/market/data/range?${query}`, NEXT)
    const answer = await askRange(`${mount}/data/range?${query}&cursor=${String(body['next_cursor'])}`)
    expect(answer.status).toBe(200)
  },
)
