// Tests /metrics over real HTTP: what Prometheus reads, who may read it, and that no client can add series.

import { expect, test } from 'bun:test'
import { Metrics } from '../../test/support/metrics-text.ts'
import {
  AUTHORIZED,
  CONDITION,
  fakeAccounts,
  fakeCatalogue,
  fakeWorkers,
  NO_TOKENS,
  TICKER,
  testApp,
} from '../../test/support/server.ts'
import type { AppDependencies } from '../app.ts'
import { listen } from '../http/server/listen.ts'
import { TaskStats } from '../observe/stats/task-stats.ts'

const TOKEN = 'the-monitoring-token'

async function withServer(
  changes: Partial<AppDependencies>,
  run: (get: (path: string, init?: RequestInit) => Promise<Response>) => Promise<void>,
): Promise<void> {
  const server = listen(testApp(changes).fetch, { host: '127.0.0.1', port: 0 })
  try {
    await run((path, init) => fetch(server.url + path, { headers: AUTHORIZED, ...init }))
  } finally {
    await server.stop(0)
  }
}

const metricsOf = async (response: Response) => new Metrics(await response.text())

test('requests are counted by route, method and status, both prefixes as one', () =>
  withServer({}, async (get) => {
    const paths = ['/api/v1/kalshi/market/date-range', '/kalshi/market/date-range', '/kalshi/market/date-range/']
    for (const path of paths) await (await get(`${path}?ticker=${TICKER}`)).text()
    await get(`/kalshi/market/date-range?ticker=${TICKER}&typo=1`)
    await get(`/kalshi/market/date-range?ticker=${TICKER}`, { headers: {} })
    await get('/kalshi/market/date-range', { method: 'POST' })
    const metrics = await metricsOf(await get('/metrics'))
    const counts = metrics.find('backbook_http_requests_total', { route: '/kalshi/market/date-range' })
    expect(counts.map(({ labels, value }) => `${labels['method']} ${labels['status']} ${value}`).sort()).toEqual([
      'GET 200 3',
      'GET 400 1',
      'GET 401 1',
      'POST 405 1',
    ])
    const labels = { route: '/kalshi/market/date-range', method: 'GET' }
    expect(metrics.value('backbook_http_request_duration_seconds_count', labels)).toBe(5)
    expect(metrics.value('backbook_http_request_duration_seconds_sum', labels)).toBeGreaterThan(0)
  }))

test('no path, market, user or key that a client makes up becomes a series', () =>
  withServer({}, async (get) => {
    for (let each = 0; each < 30; each++) {
      await get(`/made/up/${each}`)
      await get(`/kalshi/market/date-range?ticker=KXMADE${each}`)
      await get(`/api/v1/user/user-${each}/requests/count`)
      await get('/health', { method: 'PUT' })
    }
    const metrics = await metricsOf(await get('/metrics'))
    const routes = new Set(metrics.find('backbook_http_requests_total').map(({ labels }) => labels['route']))
    expect([...routes].sort()).toEqual([
      '(none)',
      '/health',
      '/kalshi/market/date-range',
      '/user/{user_id}/requests/count',
    ])
    expect(metrics.value('backbook_http_requests_total', { route: '(none)' })).toBe(30)
    expect(
      metrics.find('backbook_http_requests_total', { route: '/health' }).map(({ labels }) => labels['method']),
    ).toEqual(['PUT'])
    expect(JSON.stringify(metrics.samples)).not.toMatch(/made|KXMADE|user-1/)
  }))

test('counts the bytes of pages and summaries as sent, also if streamed, cached or compressed', () => {
  const long = new TextEncoder().encode(`[${'1,'.repeat(60_000)}1]`)
  async function* chunks() {
    yield long.subarray(0, 50_000)
    yield long.subarray(50_000)
  }
  const workers = fakeWorkers({ summary: async () => ({ dataPoints: 1, data: { chunks: chunks() } }) })
  return withServer({ workers, config: { ...NO_TOKENS, answerCacheBytes: 1 << 20 } }, async (get) => {
    const path = `/polymarket/market/orderbook-summary?condition_id=${CONDITION}&asset_id=1&date=2026-08-10`
    let sent = 0
    for (const encoding of ['identity', 'identity', 'zstd']) {
      const init = { headers: { ...AUTHORIZED, 'accept-encoding': encoding }, decompress: false }
      sent += (await (await get(path, init)).arrayBuffer()).byteLength
    }
    const metrics = await metricsOf(await get('/metrics'))
    const route = { route: '/polymarket/market/orderbook-summary' }
    expect(metrics.value('backbook_http_body_bytes_total', route)).toBe(sent)
    expect(sent).toBeGreaterThan(2 * long.length)
    expect(metrics.value('backbook_answer_cache_requests_total', { result: 'hit' })).toBe(1)
    expect(metrics.value('backbook_answer_cache_requests_total', { result: 'miss' })).toBe(2)
    expect(metrics.value('backbook_answer_cache_answers')).toBe(2)
  })
})

test('tasks, queue, store, disk, accounts and the newest records are there', () => {
  const tasks = new TaskStats()
  tasks.add({ kind: 'summary', outcome: 'answered', waitMs: 2, times: { readyMs: 20 } })
  tasks.add({ kind: 'summary', outcome: 'refused' })
  tasks.add({ kind: 'page', outcome: 'failed', waitMs: 1, times: { readyMs: 1 } })
  const store = {
    kind: 'file' as const,
    fileBytes: 100,
    usedBytes: 70,
    freeBytes: 30,
    mapBytes: 200,
    readers: 3,
    readersMax: 256,
  }
  const nowMs = Date.UTC(2026, 7, 12, 12)
  const changes: Partial<AppDependencies> = {
    catalogue: fakeCatalogue({ lastRecordMs: (venue) => (venue === 'kalshi' ? nowMs - 90_500 : null) }),
    workers: { ...fakeWorkers(), stats: () => ({ threads: 2, running: 66, queued: 5, queueMax: 9, completed: 9 }) },
    accounts: { ...fakeAccounts, unwritten: () => ({ requests: 4, seconds: 1.5 }) },
    observe: {
      tasks,
      storeStats: async () => ({ ...store, markets: 5, partitions: 6, blocks: 7 }),
      diskStats: () => ({ bytes: 1e12, freeBytes: 4e11 }),
      pendingRequests: () => 3,
    },
  }
  return withServer(changes, async (get) => {
    const metrics = await metricsOf(await get('/metrics'))
    const values = (...names: string[]) => names.map((name) => metrics.value(`backbook_${name}`))
    expect(values('worker_threads', 'tasks_running', 'tasks_queued', 'tasks_queued_limit')).toEqual([2, 66, 5, 9])
    expect(values('store_file_bytes', 'store_used_bytes', 'store_free_bytes', 'store_map_bytes')).toEqual([
      100, 70, 30, 200,
    ])
    expect(values('store_markets', 'store_market_days', 'store_blocks')).toEqual([5, 6, 7])
    expect(values('disk_size_bytes', 'disk_free_bytes', 'http_requests_in_flight')).toEqual([1e12, 4e11, 3])
    expect(values('accounts_up', 'usage_unwritten_requests', 'usage_unwritten_seconds')).toEqual([1, 4, 1.5])
    expect(metrics.find('backbook_last_record_age_seconds')).toEqual([
      { name: 'backbook_last_record_age_seconds', labels: { venue: 'kalshi' }, value: 90.5 },
    ])
    expect(metrics.value('backbook_tasks_total', { kind: 'summary', outcome: 'refused' })).toBe(1)
    expect(metrics.value('backbook_task_duration_seconds_sum', { kind: 'summary' })).toBe(0.02)
    expect(metrics.value('backbook_task_wait_seconds_count', { kind: 'page' })).toBe(1)
    expect(metrics.value('backbook_component_status', { component: 'workers', status: 'degraded' })).toBe(1)
    expect(metrics.value('backbook_component_status', { component: 'workers', status: 'ok' })).toBe(0)
    expect(metrics.value('process_resident_memory_bytes')).toBeGreaterThan(1e6)
    expect(metrics.value('process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(metrics.find('backbook_build_info')[0]?.labels).toMatchObject({ bun: Bun.version })
  })
})

test('a value that cannot be read has no sample, and the others are present', () => {
  const broken = () => {
    throw new Error('gone')
  }
  const accounts = { ...fakeAccounts, check: () => Promise.reject(new Error('gone')) }
  const changes = { accounts, catalogue: fakeCatalogue({ lastRecordMs: broken }), observe: { storeStats: broken } }
  return withServer(changes, async (get) => {
    const metrics = await metricsOf(await get('/metrics'))
    expect(metrics.find('backbook_store_file_bytes')).toEqual([])
    expect(metrics.value('backbook_accounts_up')).toBe(0)
    expect(metrics.value('backbook_component_status', { component: 'storage', status: 'down' })).toBe(1)
  })
})

test('with a token set, only its holder reads them, by either header', () =>
  withServer({ config: { ...NO_TOKENS, monitoringToken: TOKEN } }, async (get) => {
    const answer = async (headers: Record<string, string>) => {
      const response = await get('/metrics', { headers })
      return [response.status, response.headers.get('content-type')]
    }
    expect(await answer({})).toEqual([401, 'application/problem+json'])
    expect(await answer({ 'x-monitoring-token': 'wrong' })).toEqual([403, 'application/problem+json'])
    expect(await answer({ authorization: 'Bearer wrong' })).toEqual([403, 'application/problem+json'])
    const text = [200, 'text/plain; version=0.0.4; charset=utf-8']
    expect(await answer({ 'x-monitoring-token': TOKEN })).toEqual(text)
    expect(await answer({ authorization: `Bearer ${TOKEN}` })).toEqual(text)
  }))
