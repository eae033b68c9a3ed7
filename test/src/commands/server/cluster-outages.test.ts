// long: it starts engines and nodes of its own
// Goal: while the bucket is unavailable or faulty, a node answers from its cache and refuses the rest in time and with
// a reason. It gives no wrong answer and recovers by itself.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { startServer } from '../../../../src/commands/server/serve.ts'
import { readConfig } from '../../../../src/config/config.ts'
import { openStoreAt } from '../../../../storage/open-store.ts'
import { loadCapture } from '../../../../workers/load/load-capture.ts'
import { ENGINES_SKIPPED, type Engines, HAS_ENGINES, makeEngines } from '../../../support/cluster/engines.ts'
import { type FaultyProxy, type ProxyFault, startFaultyProxy } from '../../../support/cluster/faulty-proxy.ts'
import { DEMO } from '../../../support/demo.ts'
import { temporaryFolder } from '../../../support/server.ts'

const TIMEOUT_SECONDS = 1
/** How many times a node tries to read a piece before it refuses the request. */
const TRIES = 3
/** Bun retries once by itself if a connection that it reuses is closed before the answer begins. */
const requestsOf = ({ kind }: ProxyFault) => (kind === 'cut' ? 2 * TRIES : TRIES)
const DAY = '/kalshi/market/data'
const FAULTS: ProxyFault[] = [
  { kind: 'refuse', status: 503, code: 'SlowDown' },
  { kind: 'cut' },
  { kind: 'hang' },
  { kind: 'stall', bytes: 10 },
  { kind: 'truncate', bytes: 10 },
  { kind: 'delay', ms: 5_000 },
]

function suite() {
  const folder = temporaryFolder()
  let engines: Engines
  let proxy: FaultyProxy
  let url: string
  let stop: () => Promise<void>

  beforeAll(async () => {
    engines = await makeEngines(folder.path)
    proxy = await startFaultyProxy(engines.cluster.objects.endpoint!)
    const store = await openStoreAt({ folder: folder.path, cluster: engines.cluster }, { mayWrite: true })
    const path = join(folder.path, 'kalshi.ndjson')
    await Bun.write(path, `${Array.from(DEMO.kalshiLines).join('\n')}\n`)
    await loadCapture(store, folder.path, path, () => {})
    await store.close()
  }, 60_000)
  afterAll(async () => {
    await proxy.stop()
    await engines[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  }, 60_000)

  /** Starts a node with an empty cache. */
  async function startNode(): Promise<void> {
    const own = temporaryFolder()
    const variables = {
      ...engines.variables,
      AWS_ENDPOINT_URL: proxy.origin,
      ...{ STORE_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS), WORKER_THREADS: '1' },
      ...{ DRAIN_SECONDS: '0', BACKBOOK_DATA: own.path, LOCAL_ACCESS: 'open', LOG_LEVEL: 'fatal' },
    }
    const server = await startServer({ ...readConfig({ variables }, 1), port: 0 })
    url = server.url
    stop = async () => {
      await server.stop()
      own[Symbol.dispose]()
    }
  }

  const page = (offset: number) => `${DAY}?ticker=${DEMO.kalshiTicker}&date=${DEMO.date}&limit=50&offset=${offset}`
  async function ask(path: string): Promise<{ status: number; text: string; retryAfter: string | null }> {
    const response = await fetch(`${url}${path}`)
    const text = await response.text()
    return { status: response.status, text, retryAfter: response.headers.get('retry-after') }
  }

  test.each(FAULTS)(
    'a bucket that does %j',
    async (fault) => {
      proxy.faultOf = () => null
      await startNode()
      try {
        proxy.faultOf = ({ path }) => (path.includes('/segments/') ? fault : null)
        const before = proxy.requests.length
        const refused = await ask(page(0))
        expect([refused.status, JSON.parse(refused.text).code]).toEqual([503, 'blocks_unavailable'])
        expect(refused.text).not.toContain(engines.cluster.objects.bucket)
        expect(refused.retryAfter).not.toBeNull()
        const requestedRanges = proxy.requests
          .slice(before)
          .map(({ path, headers }) => `${path} ${headers.get('range')}`)
        for (const each of new Set(requestedRanges))
          expect(requestedRanges.filter((other) => other === each).length).toBeLessThanOrEqual(requestsOf(fault))
        proxy.faultOf = () => null
        const answered = await ask(page(0))
        expect(answered.status).toBe(200)
        proxy.faultOf = () => fault
        // Another page of the same block, which is in the cache now.
        expect((await ask(page(0))).text).toBe(answered.text)
        expect((await ask(page(50))).status).toBe(200)
      } finally {
        proxy.faultOf = () => null
        await stop()
      }
    },
    120_000,
  )

  test('an object that is damaged in transit is not answered, and the error names its day', async () => {
    await startNode()
    try {
      proxy.faultOf = ({ path }) => (path.includes('/segments/') ? { kind: 'damage' } : null)
      const refused = await ask(page(0))
      expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
        500,
        {
          code: 'block_corrupt',
          detail: `Stored data of the kalshi market ${DEMO.kalshiTicker} on ${DEMO.date} is damaged`,
        },
      ])
      proxy.faultOf = () => null
      expect((await ask(page(0))).status).toBe(200)
    } finally {
      proxy.faultOf = () => null
      await stop()
    }
  }, 120_000)

  test('a bucket that ignores ranges is unavailable', async () => {
    await startNode()
    try {
      proxy.faultOf = () => ({ kind: 'ignore-range' })
      const { status, text } = await ask(page(0))
      expect([status, JSON.parse(text)]).toMatchObject([503, { code: 'blocks_unavailable' }])
    } finally {
      proxy.faultOf = () => null
      await stop()
    }
  }, 120_000)
}

if (HAS_ENGINES) describe('a node', suite)
else describe.skip(`a node: ${ENGINES_SKIPPED}`, () => test('is not tried', () => undefined))
