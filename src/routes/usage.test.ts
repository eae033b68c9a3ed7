// Tests what is counted, reported and refused, over HTTP and on both databases.

import { expect, test } from 'bun:test'
import { handClock, onEachDatabase, type ServedAccounts, serveAccounts } from '../../test/support/accounts.ts'
import { TICKER } from '../../test/support/server.ts'
import { readPlans } from '../accounts/usage/plans.ts'

const DATE_RANGE = `/kalshi/market/date-range?ticker=${TICKER}`
const PLANS = readPlans({
  default: 'hundred',
  plans: [
    { id: 'hundred', name: 'Hundred', calls_per_month: 100 },
    { id: 'slow', name: 'Slow', calls_per_month: null, calls_per_second: 0.5, burst: 3 },
    { id: 'open', name: 'Open', calls_per_month: null },
  ],
})

const makeKey = async ({ accounts }: ServedAccounts, plan?: string) =>
  (await accounts.createKey({ userId: 'ann', name: 'a', plan })).secret
const monthEnd = () => Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1)
const month = () => new Date().toISOString().slice(0, 7)

onEachDatabase((database) => {
  test('with a quota of 100, 100 of 200 concurrent requests are admitted', async () => {
    await using served = await serveAccounts(database, { accounts: { plans: PLANS } })
    const secret = await makeKey(served)
    const answers = await Promise.all(Array.from({ length: 200 }, () => served.call(secret, DATE_RANGE)))
    const statuses = Map.groupBy(answers, ({ status }) => status)
    expect([statuses.get(200)?.length, statuses.get(429)?.length]).toEqual([100, 100])
    const refused = statuses.get(429)![0]!
    expect(refused.body).toMatchObject({ code: 'quota_exceeded', status: 429 })
    const wait = Number(refused.headers.get('retry-after'))
    expect(Math.abs(wait - (monthEnd() - Date.now()) / 1_000)).toBeLessThan(5)
    expect(refused.headers.get('ratelimit-policy')).toBe('"month";q=100')
    expect(refused.headers.get('ratelimit')).toMatch(/^"month";r=0;t=\d+$/)
    expect((await served.ask('/usage?user_id=ann')).body).toEqual({
      user_id: 'ann',
      tier: 'hundred',
      tier_name: 'Hundred',
      api_calls: 100,
      limit: 100,
      remaining: 0,
      month: month(),
      unlimited: false,
    })
    expect((await served.ask('/user/ann/requests/count')).body).toEqual({ user_id: 'ann', total_requests: 200 })
  })

  test('all keys of a user share its quota, and other users have their own', async () => {
    await using served = await serveAccounts(database, { accounts: { plans: PLANS } })
    const [first, second] = [await makeKey(served), await makeKey(served)]
    const bob = (await served.accounts.createKey({ userId: 'bob', name: 'b' })).secret
    const secrets = Array.from({ length: 120 }, (_, index) => (index % 2 === 0 ? first : second))
    const answers = await Promise.all(secrets.map((secret) => served.call(secret, DATE_RANGE)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100)
    expect((await served.call(bob, DATE_RANGE)).headers.get('ratelimit')).toStartWith('"month";r=99;')
  })

  test('only the ten market endpoints count, and only when they answer', async () => {
    await using served = await serveAccounts(database, { accounts: { plans: PLANS } })
    const secret = await makeKey(served)
    const left: (string | undefined)[] = []
    for (const path of [
      DATE_RANGE,
      `/api/v1/kalshi/market/coverage?ticker=${TICKER}`,
      '/kalshi/market/date-range?ticker=',
      '/kalshi/market/data?ticker=KXNONE&date=2026-08-10',
      '/kalshi/market/list',
      `/kalshi/market/data?ticker=${TICKER}&date=2026-08-10`,
    ]) {
      const { status, headers } = await served.call(secret, path)
      left.push(`${status} ${/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]}`)
    }
    // The header is written when the request arrives, and counts this request as well.
    expect(left).toEqual(['200 99', '200 99', '400 98', '404 98', '200 98', '200 97'])
    expect((await served.ask('/usage?user_id=ann')).body).toMatchObject({ api_calls: 3, remaining: 97 })
  })

  test('over the rate: 429 with the seconds to wait', async () => {
    await using served = await serveAccounts(database, { accounts: { plans: PLANS } })
    const secret = await makeKey(served, 'slow')
    const answers = await Promise.all(Array.from({ length: 10 }, () => served.call(secret, DATE_RANGE)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    const refused = answers.find(({ status }) => status === 429)!
    expect(refused.body).toMatchObject({ code: 'rate_limited' })
    expect(refused.headers.get('retry-after')).toBe('2')
    expect(refused.headers.get('ratelimit-policy')).toBe('"burst";q=3;w=6')
    expect(refused.headers.get('ratelimit')).toMatch(/^"burst";r=0;t=[56]$/)
    expect((await served.ask('/usage?user_id=ann')).body).toMatchObject({
      ...{ tier: 'slow', api_calls: 3, limit: null, remaining: null, unlimited: true },
    })
  })

  test('a plan without limits sends no such headers', async () => {
    await using served = await serveAccounts(database, { accounts: { plans: PLANS } })
    const { status, headers } = await served.call(await makeKey(served, 'open'), DATE_RANGE)
    expect([status, headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([200, null, null])
  })

  test('a larger plan takes effect within a second', async () => {
    const clock = handClock()
    await using served = await serveAccounts(database, { accounts: { plans: PLANS, elapsedMs: clock.elapsedMs } })
    const secret = await makeKey(served)
    await Promise.all(Array.from({ length: 100 }, () => served.call(secret, DATE_RANGE)))
    expect((await served.call(secret, DATE_RANGE)).status).toBe(429)
    await served.accounts.setPlan('ann', 'open')
    clock.pass(1_000)
    expect((await served.call(secret, DATE_RANGE)).status).toBe(200)
    expect((await served.ask('/usage?user_id=ann')).body).toMatchObject({ tier: 'open', api_calls: 101 })
  })

  test('an unknown user has used nothing', async () => {
    await using served = await serveAccounts(database, { accounts: { plans: PLANS } })
    expect((await served.ask('/usage?user_id=nobody')).body).toMatchObject({ tier: 'hundred', api_calls: 0 })
  })
})
