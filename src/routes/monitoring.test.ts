// Tests /monitoring/status: the states, and which callers see numbers.

import { expect, test } from 'bun:test'
import { ask, fakeAccounts, fakeCatalogue, fakeWorkers, NO_TOKENS, testApp } from '../../test/support/server.ts'
import type { AppDependencies } from '../app.ts'

type Status = { status: string; components: { name: string; status: string; figures?: Record<string, unknown> }[] }

async function statusOf(changes: Partial<AppDependencies>, headers: Record<string, string> = {}): Promise<Status> {
  return (await ask(testApp(changes), '/monitoring/status', { headers })).body as Status
}
const states = ({ status, components }: Status) => [status, ...components.map((each) => `${each.name} ${each.status}`)]

test('each component has its figures', async () => {
  const lastMs = Date.UTC(2026, 7, 12, 11)
  const catalogue = fakeCatalogue({ lastRecordMs: (venue) => (venue === 'kalshi' ? lastMs : null) })
  const status = await statusOf({ catalogue })
  expect(states(status)).toEqual([
    'ok',
    'storage ok',
    'workers ok',
    'accounts ok',
    'ingestion_polymarket idle',
    'ingestion_kalshi ok',
  ])
  expect(status.components.at(-1)?.figures).toEqual({ last_record_timestamp: lastMs, age_seconds: 3600 })
  expect(status.components[1]?.figures).toEqual({
    threads: 2,
    running: 0,
    queued: 0,
    queue_max: 9,
    completed: 0,
    recent_tasks: 0,
    task_ms_p50: null,
    task_ms_p99: null,
    wait_ms_p50: null,
    wait_ms_p99: null,
  })
  expect(status.components[2]?.figures).toMatchObject({ unwritten_requests: 0, unwritten_seconds: 0 })
})

test('accounts that do not answer are a degraded service', async () => {
  const accounts = { ...fakeAccounts, check: () => Promise.reject(new Error('gone')) }
  expect(states(await statusOf({ accounts })).slice(0, 4)).toEqual([
    'degraded',
    'storage ok',
    'workers ok',
    'accounts down',
  ])
})

test('a store that cannot be read is a service that is down', async () => {
  const catalogue = fakeCatalogue({
    lastRecordMs: () => {
      throw new Error('gone')
    },
  })
  expect(states(await statusOf({ catalogue })).slice(0, 2)).toEqual(['down', 'storage down'])
})

test('a queue behind busy workers is a degraded service', async () => {
  const workers = {
    ...fakeWorkers(),
    stats: () => ({ threads: 2, running: 2, queued: 5, queueMax: 9, completed: 9 }),
  }
  expect(states(await statusOf({ workers })).slice(0, 3)).toEqual(['degraded', 'storage ok', 'workers degraded'])
})

test('store and disk have figures if there is a folder, and a nearly full disk is reported', async () => {
  const store = {
    kind: 'file' as const,
    fileBytes: 9,
    usedBytes: 5,
    freeBytes: 4,
    mapBytes: 10,
    readers: 1,
    readersMax: 256,
  }
  const counts = { markets: 1, partitions: 2, blocks: 3 }
  const gigabyte = 2 ** 30
  const diskState = async (bytes: number, freeBytes: number) => {
    const observe = { storeStats: async () => ({ ...store, ...counts }), diskStats: () => ({ bytes, freeBytes }) }
    const status = await statusOf({ observe })
    const [storage, disk] = status.components
    expect(storage?.figures).toMatchObject({ file_bytes: 9, used_bytes: 5, free_bytes: 4, map_bytes: 10, blocks: 3 })
    expect(disk?.figures).toEqual({ total_bytes: bytes, free_bytes: freeBytes })
    return `${disk?.status} ${status.status}`
  }
  expect(await diskState(100 * gigabyte, 6 * gigabyte)).toBe('ok ok')
  expect(await diskState(100 * gigabyte, 4 * gigabyte)).toBe('degraded degraded')
  expect(await diskState(4_000 * gigabyte, 60 * gigabyte)).toBe('ok ok')
  expect(await diskState(4 * gigabyte, gigabyte / 2)).toBe('degraded degraded')
})

test('a process that had no free descriptor is a degraded service', async () => {
  const state = async (isShort: boolean) =>
    states(await statusOf({ observe: { descriptors: () => ({ isShort, open: 63, limit: 64 }) } })).slice(0, 3)
  expect(await state(false)).toEqual(['ok', 'storage ok', 'descriptors ok'])
  expect(await state(true)).toEqual(['degraded', 'storage ok', 'descriptors degraded'])
})

test('a full queue and a pool without threads are workers that are down', async () => {
  const state = async (figures: { threads: number; running: number; queued: number }) => {
    const workers = { ...fakeWorkers(), stats: () => ({ queueMax: 5, completed: 0, ...figures }) }
    return states(await statusOf({ workers }))[2]
  }
  expect(await state({ threads: 2, running: 128, queued: 5 })).toBe('workers down')
  expect(await state({ threads: 0, running: 0, queued: 0 })).toBe('workers down')
})

test('usage that is not written for long makes the accounts degraded', async () => {
  const accounts = { ...fakeAccounts, unwritten: () => ({ requests: 9, seconds: 11 }) }
  const status = await statusOf({ accounts })
  expect(states(status)[3]).toBe('accounts degraded')
  expect(status.components[2]?.figures).toMatchObject({ unwritten_requests: 9, unwritten_seconds: 11 })
})

test('a database that never answers delays no request, and concurrent requests share one check', async () => {
  let checks = 0
  const check = () => {
    checks += 1
    return new Promise<void>(() => undefined)
  }
  const app = testApp({ accounts: { ...fakeAccounts, check } })
  const answers = await Promise.all(Array.from({ length: 5 }, () => ask(app, '/monitoring/status')))
  expect(answers.map(({ body }) => states(body as Status)[3])).toEqual(Array(5).fill('accounts down'))
  expect(checks).toBe(1)
})

test('with a token set, only its holder sees figures', async () => {
  const config = { ...NO_TOKENS, monitoringToken: 'the-monitoring-token' }
  const seen = async (headers: Record<string, string>) =>
    (await statusOf({ config }, headers)).components.filter(({ figures }) => figures !== undefined).length
  expect(await seen({})).toBe(0)
  expect(await seen({ 'x-monitoring-token': 'wrong' })).toBe(0)
  expect(await seen({ 'x-monitoring-token': 'the-monitoring-token' })).toBe(5)
  expect(await seen({ authorization: 'Bearer the-monitoring-token' })).toBe(5)
})
