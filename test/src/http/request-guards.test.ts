// What is refused before a route is looked for.

import { expect, test } from 'bun:test'
import { ask, fakeWorkers, TICKER, testApp } from '../../support/server.ts'

test('HEAD on a market endpoint does no work', async () => {
  const workers = fakeWorkers()
  const path = `/api/v1/kalshi/market/data?ticker=${TICKER}&date=2026-08-10`
  const { status, headers } = await ask(testApp({ workers }), path, { method: 'HEAD' })
  expect([status, headers.get('allow')]).toEqual([405, 'GET'])
  expect(workers.pages).toEqual([])
})

test('HEAD on /health answers', async () =>
  expect((await ask(testApp(), '/health', { method: 'HEAD' })).status).toBe(200))

test('a request with a body that is too long goes nowhere', async () => {
  const { body } = await ask(testApp(), '/nowhere', {
    method: 'POST',
    body: 'x'.repeat(20_000),
    headers: { 'content-length': '20000' },
  })
  expect(body).toMatchObject({ status: 413, code: 'body_too_large' })
})
