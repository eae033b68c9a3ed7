// Goal: the calendar's clock is set wrong by a day or a year, and back again, under a running server: requests are
// answered all the time, limits hold, answers about the past stay what they are, and every call is counted.

import { expect, setSystemTime, test } from 'bun:test'
import { join } from 'node:path'
import { startServer } from '../../src/commands/serve.ts'
import { readConfig } from '../../src/config.ts'
import { DAY, TICKER } from '../model/lines.ts'
import { dataFolder } from '../support/data-folder.ts'

const DAY_MS = 86_400_000
const JUMPS_DAYS = [1, -1, 365, -365, 3_650]

test('a clock that jumps costs nothing but what is told by the calendar', async () => {
  using folder = await dataFolder()
  const plansFile = join(folder.folder, 'plans.json')
  const plan = { id: 'pro', name: 'P', calls_per_month: 1_000, calls_per_second: 0.001, burst: 100 }
  await Bun.write(plansFile, JSON.stringify({ default: 'pro', plans: [plan] }))
  const variables = { WORKER_THREADS: '1', PLANS_FILE: plansFile, LOG_LEVEL: 'error' }
  const config = readConfig({ flags: {}, variables, file: undefined }, 1)
  const server = await startServer({ ...config, data: folder.data, port: 0 })
  await using _ = { [Symbol.asyncDispose]: () => server.stop() }
  const realMs = Date.now()
  const json = async (path: string, init?: RequestInit) => (await fetch(`${server.url}${path}`, init)).json()
  const expiring = (await json(`/keys?user_id=ann&name=b&expires_at=${new Date(realMs + 3_600_000).toISOString()}`, {
    method: 'POST',
  })) as { data: { api_key: string } }
  const ask = (path: string, secret = folder.secret) =>
    fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${secret}` } })
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
        // A year ahead brings no token back, and a year behind takes none away.
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
