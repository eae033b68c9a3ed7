// Tests a token that a market does not have, and a request without a token: the answer lists the tokens that exist.

import { expect, test } from 'bun:test'
import type { BookEntry } from '../../storage/format/partition-head.ts'
import { ask, CONDITION, fakeCatalogue, head, TICKER, testApp } from '../../test/support/server.ts'

const book = (id: string) => ({ id, recordCount: 1, quoteCount: 1 }) as BookEntry
const DAYS = [
  { date: '2026-08-10', head: head({ books: [book('11'), book('33')] }) },
  { date: '2026-08-12', head: head({ books: [book('11'), book('22')] }) },
]

function server() {
  const reads: unknown[] = []
  const catalogue = fakeCatalogue({
    heads: (_, __, range) => {
      reads.push(range ?? 'all')
      return DAYS.filter(({ date }) => range === undefined || (date >= range.from && date <= range.to))
    },
  })
  return { reads, app: testApp({ catalogue }) }
}

const QUERY = `condition_id=${CONDITION}&date=2026-08-12`
const RANGE = `condition_id=${CONDITION}&start_timestamp=1786406390&end_timestamp=1786406401`
const TOKENS = 'a token of the market, 11, 22 or 33'

test.each([
  `/polymarket/market/orderbook-summary?${QUERY}`,
  `/market/orderbook-summary?${QUERY}`,
  `/polymarket/market/data?${QUERY}`,
  `/market/data/range?${RANGE}`,
])('%s with a token that the market does not have is 404 and names its tokens', async (path) => {
  const { status, body } = await ask(server().app, `${path}&asset_id=44`)
  const message = `must be ${TOKENS}, got "44"`
  expect([status, body]).toMatchObject([
    404,
    { code: 'asset_not_stored', detail: `asset_id ${message}`, errors: [{ field: 'asset_id', message }] },
  ])
  expect((await ask(server().app, `${path}&asset_id=33`)).status).toBe(200)
})

test('a summary without a token is 400 and names them; of an unknown market it is 404', async () => {
  const { app } = server()
  const { status, body } = await ask(app, `/market/orderbook-summary?${QUERY}`)
  const detail = `asset_id is required and must be ${TOKENS}`
  expect([status, body]).toMatchObject([400, { code: 'parameters_invalid', detail }])
  const unknown = `/market/orderbook-summary?condition_id=${'c'.repeat(64)}&date=2026-08-12`
  expect((await ask(app, unknown)).body).toMatchObject({ code: 'market_not_stored' })
})

test('a HEAD and a client that has the answer are refused alike', async () => {
  const { app } = server()
  const path = `/market/orderbook-summary?${QUERY}&asset_id=44`
  expect((await ask(app, path, { method: 'HEAD' })).status).toBe(404)
})

test('raw data without a token has all tokens, and Kalshi has no tokens', async () => {
  const { app, reads } = server()
  expect((await ask(app, `/market/data?${QUERY}`)).status).toBe(200)
  expect((await ask(app, `/kalshi/market/data?ticker=${TICKER}&date=2026-08-12`)).status).toBe(200)
  expect(reads).toEqual([])
})

test('the last date is looked at first, and the others only if it has no such token', async () => {
  const { app, reads } = server()
  const last = { from: '2026-08-12', to: '2026-08-12' }
  for (const asset of ['22', '33']) await ask(app, `/market/data?${QUERY}&asset_id=${asset}`)
  expect(reads).toEqual([last, last, 'all'])
})
