// Traces as a collector receives them: a span of each request, below it the wait and the work of its task, and nothing
// that is secret.

import { expect, test } from 'bun:test'
import { DAY, kalshiDelta, kalshiSnapshot, TICKER } from '../../test/model/lines.ts'
import { type Collector, startCollector } from '../../test/support/otlp-collector.ts'
import { AUTHORIZED, fakeCatalogue, fakeWorkers, SECRET, testApp } from '../../test/support/server.ts'
import { withStore } from '../../test/support/store.ts'
import { createWorkers } from '../../workers/pool/pool.ts'
import type { AppDependencies } from '../app.ts'
import { listen } from '../http/server/listen.ts'
import { startTracing, type Tracing } from './tracing.ts'

const told: string[] = []
const settings = { share: 1, version: '1.2.3', log: { warn: (message: unknown) => void told.push(String(message)) } }

/** Runs against a traced server; what it sent is complete when this resolves. */
async function traced(
  collector: Pick<Collector, 'url'>,
  dependencies: (tracing: Tracing) => Partial<AppDependencies>,
  run: (url: string) => Promise<void>,
  share = 1,
): Promise<void> {
  const tracing = startTracing({ ...settings, share, endpoint: collector.url })
  const app = testApp({ ...dependencies(tracing), observe: { observers: [tracing.observer] } })
  const server = listen(app.fetch, { host: '127.0.0.1', port: 0 })
  try {
    await run(server.url)
  } finally {
    await server.stop(1_000)
    await tracing.stop()
  }
}

const get = async (url: string, headers: Record<string, string> = {}) =>
  (await fetch(url, { headers: { ...AUTHORIZED, ...headers } })).text()

test('a request that is a task is three spans of one trace', () =>
  withStore(async (store) => {
    const lines = [kalshiSnapshot([]), kalshiDelta(5, '0.5000', '1.00')]
    await store.loadLines(
      'c.ndjson',
      lines.map((line) => JSON.stringify(line)),
    )
    await store.store.flushed()
    await using collector = startCollector()
    let close = async () => {}
    const dependencies = ({ onTask }: Tracing) => {
      const workers = createWorkers({ place: store.place, threads: 1, queueMax: 9, onTask })
      close = () => workers.close()
      return { catalogue: store.store.catalogue, workers }
    }
    await traced(collector, dependencies, async (url) => {
      const trace = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, 'x-request-id': 'id-1' }
      await get(`${url}/api/v1/kalshi/market/data?ticker=${TICKER}&date=${DAY}`, trace)
      await get(`${url}/kalshi/market/orderbook-summary?ticker=${TICKER}&date=${DAY}`)
    })
    await close()
    const request = collector.spans.find(({ name }) => name === 'GET /kalshi/market/data')!
    expect([request.traceId, request.parentSpanId, request.kind]).toEqual(['a'.repeat(32), 'b'.repeat(16), 2])
    expect(request.attributes).toMatchObject({
      'http.request.method': 'GET',
      'http.route': '/kalshi/market/data',
      'http.response.status_code': 200,
      'backbook.request_id': 'id-1',
      'backbook.key_id': 'key_1',
    })
    expect(request.attributes['http.response.body.size']).toBeGreaterThan(100)
    const below = collector.spans.filter(({ parentSpanId }) => parentSpanId === request.spanId)
    expect(below.map(({ name }) => name).sort()).toEqual(['task page', 'wait page'])
    const [task, wait] = ['task page', 'wait page'].map((wanted) => below.find(({ name }) => name === wanted)!)
    expect(task!.events).toEqual(['first bytes'])
    expect(task!.startNs).toBe(wait!.endNs)
    for (const span of [task!, wait!]) {
      expect(span.traceId).toBe(request.traceId)
      expect(span.endNs).toBeGreaterThanOrEqual(span.startNs)
      // The clocks of a span count milliseconds with fractions, so a microsecond may be lost.
      expect(span.startNs + 100_000n).toBeGreaterThanOrEqual(request.startNs)
    }
    expect(collector.spans.filter(({ name }) => name === 'task summary').length).toBe(1)
    expect(collector.resource).toMatchObject({ 'service.name': 'backbook', 'service.version': '1.2.3' })
  }))

test('failures are errors, and no key, token, query or path is in what is sent', async () => {
  await using collector = startCollector()
  const workers = fakeWorkers({ page: () => Promise.reject(new Error('hidden-1')) })
  await traced(
    collector,
    () => ({
      catalogue: fakeCatalogue({
        market: () => ({ firstDate: '', lastDate: '', dateCount: 1, recordCount: 1, revision: 1 }),
      }),
      workers,
    }),
    async (url) => {
      const hidden = { 'x-admin-token': 'hidden-2', 'x-monitoring-token': 'hidden-3', cookie: 'a=hidden-4' }
      await get(`${url}/kalshi/market/data?ticker=HIDDEN-5&date=2026-08-10`, hidden)
      await get(`${url}/user/hidden-6/requests/count?token=hidden-7`, hidden)
      await get(`${url}/hidden-8`, { ...hidden, 'user-agent': 'hidden-9' })
    },
  )
  expect(collector.spans.map(({ name, statusCode }) => [name, statusCode])).toEqual([
    ['GET /kalshi/market/data', 2],
    ['GET /user/{user_id}/requests/count', 0],
    ['GET (none)', 0],
  ])
  expect(collector.text()).not.toMatch(/hidden/i)
  expect(collector.text()).not.toContain(SECRET)
})

test('keeps a share of the traces that begin here, and follows the decision of a caller', async () => {
  await using collector = startCollector()
  const caller = (digit: string, flags: string) => ({
    traceparent: `00-${digit.repeat(32)}-${'b'.repeat(16)}-${flags}`,
  })
  await traced(
    collector,
    () => ({}),
    async (url) => {
      await get(`${url}/health`)
      await get(`${url}/health`, caller('c', '01'))
      await get(`${url}/health`, caller('d', '00'))
    },
    0,
  )
  expect(collector.spans.map(({ traceId }) => traceId)).toEqual(['c'.repeat(32)])
})

test('an unreachable collector is logged, and answers continue', async () => {
  told.length = 0
  await traced(
    { url: 'http://127.0.0.1:9' },
    () => ({}),
    async (url) => expect((await fetch(`${url}/health`)).status).toBe(200),
  )
  expect(told.some((line) => line.startsWith('traces: '))).toBe(true)
}, 30_000)
