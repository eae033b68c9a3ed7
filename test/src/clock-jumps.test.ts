// Goal: the calendar clock of a running server is set wrong by a day or a year, and back again. The server answers all
// the time, its limits hold, answers about the past do not change, and every call is counted.

import { expect, setSystemTime, test } from 'bun:test'
import { join } from 'node:path'
import { startServer } from '../../src/commands/server/serve.ts'
import { readConfig } from '../../src/config/config.ts'
import { DAY, TICKER } from '../model/lines.ts'
import { dataFolder } from '../support/disk/data-folder.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const JUMPS_DAYS = [1, -1, 365, -365, 3_650]

/** Starts a server whose users may make a hundred calls at once, and hardly any more later. */
async function limitedServer() {
  const folder = await dataFolder()
  const plansFile = join(folder.folder, 'plans.json')
  const plan = { id: 'pro', name: 'P', calls_per_month: 1_000, calls_per_second: 0.001, burst: 100 }
  await Bun.write(plansFile, JSON.stringify({ default: 'pro', plans: [plan] }))
  const variables = { WORKER_THREADS: '1', PLANS_FILE: plansFile, LOG_LEVEL: 'error' }
  const config = readConfig({ flags: {}, variables, file: undefined }, 1)
  const { url, stop } = await startServer({ ...config, data: folder.data, port: 0 })
  return {
    ask: (path: string, secret = folder.secret) =>
      fetch(`${url}${path}`, { headers: { authorization: `Bearer ${secret}` } }),
    json: async (path: string, init?: RequestInit) => (await fetch(`${url}${path}`, init)).json(),
    async [Symbol.asyncDispose]() {
      await stop()
      folder[Symbol.dispose]()
    },
  }
}

test('a clock that jumps affects only what depends on the calendar', async () => {
  await using server = await limitedServer()
  const { ask, json } = server
  const realMs = Date.now()
  const expiring = (await json(`/keys?user_id=ann&name=b&expires_at=${new Date(realMs + 3_600_000).toISOString()}`, {
    method: 'POST',
  })) as { data: { api_key: string } }
  const question = `/kalshi/market/data?ticker=${TICKER}&date=${DAY}`
  const first = await (await ask(question)).text()
  expect(first.length).toBeGreaterThan(10_000)
  let calls = 1
  let burstLeft = 99
  try {
    for (const days of JUMPS_DAYS) {
      for (const jumpMs of [days * DAY_MS, 0]) {
        setSystemTime(new Date(realMs + jumpMs))
        const answer = await ask(question)
        expect(answer.status).toBe(200)
        expect(await answer.text()).toBe(first)
        calls++
        // A jump of a year ahead restores no token, and a jump of a year back removes none.
        expect(answer.headers.get('ratelimit')).toContain(`"burst";r=${--burstLeft};`)
        const { status } = await ask('/kalshi/market/list', expiring.data.api_key)
        expect(status).toBe(jumpMs > 0 ? 401 : 200)
        if (status === 200) burstLeft--
        const { uptime_seconds } = (await json('/health')) as { uptime_seconds: number }
        expect(uptime_seconds).toBeGreaterThanOrEqual(0)
        expect(uptime_seconds).toBeLessThan(600)
      }
    }
  } finally {
    setSystemTime()
  }
  const counted = (await json('/user/ann/requests/count')) as { total_requests: number }
  const others = 2 * JUMPS_DAYS.length - JUMPS_DAYS.filter((days) => days > 0).length
  expect(counted.total_requests).toBe(calls + others)
}, 30_000)

test('a clock set forward and back by less than an hour counts each call once, in the hour that it showed', async () => {
  await using server = await limitedServer()
  const { ask, json } = server
  const hourMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  const at = (minutes: number) => setSystemTime(new Date(hourMs + minutes * 60_000))
  const call = async (secret?: string) => {
    const { status, headers } = await ask('/kalshi/market/list', secret)
    return [status, headers.get('ratelimit')?.match(/"burst";r=(\d+)/)?.[1]]
  }
  try {
    at(10)
    const expires = new Date(hourMs + 40 * 60_000).toISOString()
    const made = await json(`/keys?user_id=ann&name=b&expires_at=${expires}`, { method: 'POST' })
    const { api_key: expiring } = (made as { data: { api_key: string } }).data
    expect([await call(), await call(expiring)]).toEqual([
      [200, '99'],
      [200, '98'],
    ])
    // Later than the key's end, but within the hour: no token is restored.
    at(50)
    expect([await call(), (await call(expiring))[0]]).toEqual([[200, '97'], 401])
    // The clock goes back to the hour before the key was made: the call counts in that hour.
    at(-10)
    expect([await call(), await call(expiring), await call()]).toEqual([
      [200, '96'],
      [200, '95'],
      [200, '94'],
    ])
    // A year ahead, and back again.
    at(366 * 24 * 60)
    expect(await call()).toEqual([200, '93'])
    await json('/stats')
    at(20)
    expect(await call()).toEqual([200, '92'])
    const range = `start_time=${hourMs - HOUR_MS}&end_time=${hourMs + HOUR_MS}`
    const { counts } = (await json(`/user/ann/requests/count/timeframe?${range}`)) as { counts: unknown }
    const hour = (ms: number) => new Date(ms).toISOString().replace('.000', '')
    expect(counts).toEqual([
      { hour: hour(hourMs - HOUR_MS), count: 3 },
      { hour: hour(hourMs), count: 4 },
    ])
    const stats = (await json('/stats')) as { total_requests: number; last_24_hours: { total_requests: number } }
    expect([stats.total_requests, stats.last_24_hours.total_requests]).toEqual([8, 7])
    const { api_keys } = (await json('/keys?user_id=ann')) as { api_keys: { name: string; last_used_at: string }[] }
    const used = Object.fromEntries(api_keys.map(({ name, last_used_at }) => [name, last_used_at.slice(0, 16)]))
    const minute = (minutes: number) => new Date(hourMs + minutes * 60_000).toISOString().slice(0, 16)
    expect(used).toEqual({ laptop: minute(20), b: minute(10) })
  } finally {
    setSystemTime()
  }
}, 30_000)
