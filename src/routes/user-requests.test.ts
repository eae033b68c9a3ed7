// Tests the requests of a user, and the requests to the server, over HTTP and on both databases.

import { expect, test } from 'bun:test'
import { onEachDatabase, serveAccounts } from '../../test/support/accounts.ts'
import { ask, CONDITION, fakeCatalogue, TICKER, testApp } from '../../test/support/server.ts'
import { storedMarketIn } from '../http/parameters/stored-market.ts'

const SETTINGS = { accounts: { storedMarket: storedMarketIn(fakeCatalogue()) } }
const BARE = CONDITION.slice(2).toUpperCase()

onEachDatabase((database) => {
  test('the newest requests, the last first, with their results', async () => {
    await using served = await serveAccounts(database, SETTINGS)
    const { secret, keyId } = await served.accounts.createKey({ userId: 'ann/1 é', name: 'a' })
    const paths = [`/kalshi/market/date-range?ticker=${TICKER}`, '/api/v1/kalshi/market/list?limit=0']
    for (const path of paths) await served.call(secret, path)
    const user = encodeURIComponent('ann/1 é')
    const { body } = await served.ask(`/api/v1/user/${user}/requests/recent`)
    const request = (path: string, status: number) => ({
      ...{ time: expect.stringMatching(/^\d{4}-.*Z$/), method: 'GET', path, status },
      ...{ duration_ms: expect.any(Number), key_id: keyId },
    })
    expect(body).toEqual({
      user_id: 'ann/1 é',
      requests: [request('/api/v1/kalshi/market/list', 400), request('/kalshi/market/date-range', 200)],
    })
    const one = (await served.ask(`/user/${user}/requests/recent?limit=1`)).body as { requests: unknown[] }
    expect(one.requests).toHaveLength(1)
  })

  test('requests by hour, for a range in any form', async () => {
    await using served = await serveAccounts(database, SETTINGS)
    const { secret } = await served.accounts.createKey({ userId: 'ann', name: 'a' })
    for (let each = 0; each < 3; each++) await served.call(secret, '/kalshi/market/list')
    const now = Date.now()
    const [hour, day] = [`${new Date(now).toISOString().slice(0, 13)}:00:00Z`, new Date(now).toISOString().slice(0, 10)]
    const count = async (start: string | number, end: string | number) => {
      const { body } = await served.ask(`/user/ann/requests/count/timeframe?start_time=${start}&end_time=${end}`)
      return body
    }
    const counts = [{ hour, count: 3 }]
    const seconds = Math.floor(now / 1_000)
    expect(await count(seconds - 60, seconds + 60)).toMatchObject({ user_id: 'ann', start_time: seconds - 60, counts })
    expect(await count(now - 60_000, now)).toMatchObject({ end_time: now, counts })
    expect(await count(day, day)).toEqual({ user_id: 'ann', start_time: day, end_time: day, counts })
    expect(await count('2026-01-01', '2026-01-02')).toMatchObject({ counts: [] })
  })

  test('the statistics of the server, and its popular markets', async () => {
    await using served = await serveAccounts(database, SETTINGS)
    const { secret } = await served.accounts.createKey({ userId: 'ann', name: 'a' })
    const kalshi = (ticker: string) => served.call(secret, `/kalshi/market/date-range?ticker=${ticker}`)
    await kalshi(TICKER)
    await kalshi(TICKER.toLowerCase())
    await kalshi('KXNONE')
    await kalshi('')
    await served.call(secret, `/polymarket/market/date-range?condition_id=${BARE}`)
    const sum = { total_requests: 5, api_calls: 4, refused: 0, failed: 0 }
    const { body } = await served.ask('/stats')
    expect(body).toMatchObject({ users: 1, api_keys: 1, active_api_keys: 1, ...sum, last_24_hours: sum })
    expect((await served.ask('/stats/popular-markets?days=1')).body).toEqual({
      markets: [
        { venue: 'kalshi', market: TICKER, requests: 2 },
        { venue: 'polymarket', market: CONDITION, requests: 1 },
      ],
    })
    expect((await served.ask('/stats/popular-markets?limit=1')).body).toMatchObject({ markets: [{ market: TICKER }] })
  })
})

test('a range of more than 366 days, and a summary of too many buckets, are one problem under one title', async () => {
  const days = '/user/ann/requests/count/timeframe?start_time=2026-01-01&end_time=2027-01-02'
  const buckets = `/kalshi/market/orderbook-summary?ticker=${TICKER}&start_timestamp=0&end_timestamp=1000000&resolution=1`
  for (const path of [days, buckets]) {
    const { body } = await ask(testApp(), path)
    expect(body).toMatchObject({ status: 400, code: 'range_too_long', title: 'The range is too long' })
  }
})

test.each([
  ['/user/ann/requests/count/timeframe?start_time=5&end_time=4', 'start_time'],
  ['/user/ann/requests/count/timeframe?start_time=2026-01-01&end_time=2028-01-01', 'end_time'],
  ['/user/ann/requests/count/timeframe?start_time=yesterday&end_time=4', 'start_time'],
  ['/user/ann/requests/count/timeframe?start_time=4', 'end_time'],
  ['/user/ann/requests/recent?limit=101', 'limit'],
  ['/user/ann/requests/recent?limit=0', 'limit'],
  ['/user/ann/requests/count?x=1', 'x'],
  ['/user/%00/requests/count', 'user_id'],
  ['/stats?x=1', 'x'],
  ['/stats/popular-markets?days=0', 'days'],
  ['/stats/popular-markets?limit=1001', 'limit'],
  ['/usage', 'user_id'],
  ['/keys', 'user_id'],
  ['/keys?user_id=a&limit=0', 'limit'],
  ['/keys/%20/name', 'key_id'],
])('%s is refused for its %s', async (path, field) => {
  const { status, body } = await ask(testApp(), path, { headers: {} })
  expect(status).toBe(400)
  expect((body as { errors: { field: string }[] }).errors.map((error) => error.field)).toEqual([field])
})
