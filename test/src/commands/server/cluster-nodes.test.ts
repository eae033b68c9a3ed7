// long: it starts engines and nodes of its own
// Goal: all nodes answer from data that one process loads, and they share keys, cursors and entity tags. The test
// same-bytes compares the answers with the answers of a folder.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { startServer } from '../../../../src/commands/server/serve.ts'
import { readConfig } from '../../../../src/config/config.ts'
import { openStoreAt } from '../../../../storage/open-store.ts'
import { loadCapture } from '../../../../workers/load/load-capture.ts'
import { syntheticDay } from '../../../../workers/synthetic/synthetic-day.ts'
import { capture, DAY, kalshiDelta, kalshiSnapshot, received, TICKER } from '../../../model/lines.ts'
import { ENGINES_SKIPPED, type Engines, HAS_ENGINES, makeEngines } from '../../../support/cluster/engines.ts'
import { DEMO } from '../../../support/demo.ts'
import { tradeLines } from '../../../support/disk/data-folder.ts'
import { temporaryFolder } from '../../../support/server.ts'

const START = Date.parse(`${DEMO.date}T12:00:00Z`)
const END = START + 600_000
const KALSHI = `ticker=${DEMO.kalshiTicker}`
const WINDOW = `start_timestamp=${START}&end_timestamp=${END}`
const SMALL = syntheticDay({ date: DEMO.date, kalshiRecords: 4_000, polymarketRecords: 1 })
const DELTAS = [1, 2, 3].map((i) => kalshiDelta(i, '0.41', `${i}.00`))

type Node = { get(path: string, headers?: Record<string, string>): Promise<Response>; stop(): Promise<void> }

async function startNode(folder: string, variables: Record<string, string>, secret: () => string): Promise<Node> {
  const own = { ...variables, WORKER_THREADS: '1', DRAIN_SECONDS: '0', BACKBOOK_DATA: folder }
  const server = await startServer({ ...readConfig({ variables: own }, 1), port: 0 })
  const get = (path: string, headers = {}) =>
    fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${secret()}`, ...headers } })
  if (secret() === '') {
    const made = await fetch(`${server.url}/keys?user_id=ann&name=demo`, { method: 'POST' })
    madeSecret = ((await made.json()) as { data: { api_key: string } }).data.api_key
  }
  return { get, stop: server.stop }
}
let madeSecret = ''

async function loadLines({ cluster }: Engines, folder: string, name: string, lines: Iterable<string>): Promise<void> {
  const store = await openStoreAt({ folder, cluster }, { mayWrite: true })
  const path = join(folder, `${name}.ndjson`)
  await Bun.write(path, `${Array.from(lines).join('\n')}\n`)
  await loadCapture(store, folder, path, () => {})
  await store.close()
}

function suite() {
  const folders = [temporaryFolder(), temporaryFolder()]
  let engines: Engines
  let nodes: Node[] = []

  beforeAll(async () => {
    engines = await makeEngines(folders[0]!.path)
    // A process that may write makes the catalogue. Both nodes run before anything is stored.
    await (await openStoreAt({ folder: folders[0]!.path, cluster: engines.cluster }, { mayWrite: true })).close()
    nodes = [await startNode(folders[0]!.path, engines.variables, () => madeSecret)]
    nodes.push(await startNode(folders[1]!.path, engines.variables, () => madeSecret))
    await loadLines(engines, folders[0]!.path, 'kalshi', SMALL.kalshiLines)
  }, 60_000)
  afterAll(async () => {
    for (const node of nodes) await node.stop()
    await engines[Symbol.asyncDispose]()
    for (const folder of folders) folder[Symbol.dispose]()
  }, 60_000)

  test('data that is stored meanwhile is in the first answer with a new tag', async () => {
    const path = `/kalshi/market/data?ticker=${TICKER}&date=${DAY}`
    const stored = async (count: number) => {
      const store = await openStoreAt({ folder: folders[0]!.path, cluster: engines.cluster }, { mayWrite: true })
      const file = join(folders[0]!.path, `grown-${count}.ndjson`)
      await Bun.write(file, capture(received(0, kalshiSnapshot([['0.40', '5.00']])), ...DELTAS.slice(0, count - 1)))
      await loadCapture(store, folders[0]!.path, file, () => {})
      await store.close()
    }
    await stored(1)
    const tags = await Promise.all(nodes.map(async ({ get }) => (await get(path)).headers.get('etag')))
    for (const count of [2, 3, 4]) {
      await stored(count)
      for (const [index, { get }] of nodes.entries()) {
        let response = await get(path)
        while (response.headers.get('etag') === tags[index]) response = await get(path)
        const { data_count } = (await response.json()) as { data_count: number }
        expect([index, data_count]).toEqual([index, count])
        tags[index] = response.headers.get('etag')
      }
    }
  })

  test('an entity tag and a cursor of one node are valid on the other', async () => {
    const [one, other] = nodes as [Node, Node]
    const summary = `/kalshi/market/orderbook-summary?${KALSHI}&date=${DEMO.date}&resolution=60`
    const tag = (await one.get(summary)).headers.get('etag')!
    expect(tag).toBeString()
    expect((await other.get(summary, { 'if-none-match': tag })).status).toBe(304)
    const range = `/kalshi/market/data/range?${KALSHI}&${WINDOW}&limit=10`
    const { next_cursor: cursor } = (await (await one.get(range)).json()) as { next_cursor: string }
    expect(cursor).toBeString()
    const next = `${range}&cursor=${encodeURIComponent(cursor)}`
    expect(await (await other.get(next)).text()).toBe(await (await one.get(next)).text())
    expect((await other.get(next)).status).toBe(200)
  })

  test('idle nodes answer from data that other processes load meanwhile', async () => {
    const page = `/kalshi/market/data?ticker=${TICKER}&date=${DAY}&limit=100`
    const counts = async () => {
      const answers = await Promise.all(nodes.map(async (node) => (await node.get(page)).json()))
      return answers.map((answer) => (answer as { data: unknown[] }).data.length)
    }
    const [before = 0] = await counts()
    const until = async (records: number) => {
      while (!Bun.deepEquals(await counts(), [records, records])) await Bun.sleep(50)
    }
    await loadLines(engines, folders[0]!.path, 'early', tradeLines(0, 3))
    await until(before + 3)
    // The nodes' threads are asleep by then.
    await Bun.sleep(500)
    await loadLines(engines, folders[0]!.path, 'late', tradeLines(3, 2))
    await until(before + 5)
  })

  test('both are ready, and report what they know about the store', async () => {
    let reads = 0
    for (const node of nodes) {
      expect((await node.get('/ready')).status).toBe(200)
      const { components } = (await (await node.get('/monitoring/status')).json()) as {
        components: { name: string; status: string; figures: Record<string, number> }[]
      }
      const named = (name: string) => components.find((component) => component.name === name)
      expect(named('catalogue')?.status).toBe('ok')
      expect(named('objects')?.status).toBe('ok')
      const stored = { markets: expect.any(Number), market_days: expect.any(Number) }
      expect(named('storage')?.figures).toEqual({
        ...stored,
        ...{ segments: expect.any(Number), segment_bytes: expect.any(Number) },
      })
      expect(named('cluster')).toMatchObject({ status: 'ok', figures: { changes_heard: 1, segments_to_sweep: 0 } })
      expect(named('cluster')?.figures['days_to_compact']).toBeGreaterThan(0)
      // The threads of the node have read the data for the requests above.
      const cache = named('cache')!.figures as Record<string, number>
      expect(cache['hits']! + cache['misses']!).toBeGreaterThan(0)
      expect(cache['misses']).toBeGreaterThanOrEqual(cache['reads']!)
      expect(cache).toMatchObject({ failures: 0, failed_reads: 0, read_bytes: expect.any(Number) })
      reads += cache['reads']!
    }
    // The first node has the pieces in its cache, because a load of the same folder has put them.
    expect(reads).toBeGreaterThan(0)
  })
}

if (HAS_ENGINES) describe('nodes of a cluster', suite)
else describe.skip(`nodes of a cluster: ${ENGINES_SKIPPED}`, () => test('are not tried', () => undefined))
