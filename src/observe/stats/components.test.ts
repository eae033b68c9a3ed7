// Tests the components of the service and their states, at every limit.

import { expect, test } from 'bun:test'
import type { ClusterStats, FileStats } from '../../../storage/maintenance.ts'
import { componentsOf, overall } from './components.ts'
import type { ServiceReading } from './service-reading.ts'

const GIGABYTE = 2 ** 30
const READING: ServiceReading = {
  ...{ isReadable: true, store: null, disk: null, engines: [], descriptors: null, recorder: null },
  pool: { threads: 2, running: 0, queued: 0, queueMax: 9, completed: 5 },
  accounts: { isUp: true, answerMs: 1.23456, unwritten: { requests: 0, seconds: 0 } },
  lastRecords: { polymarket: null, kalshi: { timestampMs: 1_000, ageSeconds: 5.9 } },
}
const times = { p50: 1.23456, p99: null }
const TASKS = { recent: () => ({ tasks: 3, workMs: times, waitMs: times }) }

const all = (changes: Partial<ServiceReading>) => componentsOf({ ...READING, ...changes }, TASKS)
const one = (name: string, changes: Partial<ServiceReading>) => all(changes).find((each) => each.name === name)
const statusOf = (name: string, changes: Partial<ServiceReading>) => one(name, changes)?.status

test('a minimal service has its store, workers, accounts and venues', () => {
  expect(all({}).map(({ name, status }) => [name, status])).toEqual([
    ['storage', 'ok'],
    ['workers', 'ok'],
    ['accounts', 'ok'],
    ['ingestion_polymarket', 'idle'],
    ['ingestion_kalshi', 'ok'],
  ])
  expect(one('ingestion_kalshi', {})?.figures).toEqual({ last_record_timestamp: 1_000, age_seconds: 5 })
  expect(one('workers', {})?.figures).toMatchObject({ task_ms_p50: 1.235, wait_ms_p99: null, recent_tasks: 3 })
  expect(['storage', 'ingestion_kalshi'].map((name) => statusOf(name, { isReadable: false }))).toEqual(['down', 'down'])
})

test.each([
  [{ bytes: 100 * GIGABYTE, freeBytes: 5 * GIGABYTE }, 'ok'],
  [{ bytes: 100 * GIGABYTE, freeBytes: 5 * GIGABYTE - 1 }, 'degraded'],
  [{ bytes: 10 * GIGABYTE, freeBytes: GIGABYTE }, 'ok'],
  [{ bytes: 10 * GIGABYTE, freeBytes: GIGABYTE - 1 }, 'degraded'],
  [{ bytes: 9_000 * GIGABYTE, freeBytes: 50 * GIGABYTE }, 'ok'],
  [{ bytes: 9_000 * GIGABYTE, freeBytes: 50 * GIGABYTE - 1 }, 'degraded'],
] as const)('a disk with %j is %s', (disk, status) => expect(statusOf('disk', { disk })).toBe(status))

test.each([
  [{ running: 2, queued: 0 }, 'ok'],
  [{ running: 1, queued: 1 }, 'ok'],
  [{ running: 2, queued: 1 }, 'degraded'],
  [{ running: 2, queued: 9 }, 'down'],
  [{ threads: 0 }, 'down'],
] as const)('workers with %j are %s', (changes, status) => {
  expect(statusOf('workers', { pool: { ...READING.pool, ...changes } })).toBe(status)
})

test.each([
  [true, 10, 'ok'],
  [true, 10.1, 'degraded'],
  [false, 0, 'down'],
] as const)('accounts that answer: %p, with usage unwritten for %d s, are %s', (isUp, seconds, status) => {
  const accounts = { isUp, answerMs: null, unwritten: { requests: 1, seconds } }
  expect(statusOf('accounts', { accounts })).toBe(status)
})

test('engines of a store, file descriptors and a shared store', () => {
  const engine = { name: 'objects', isUp: false, answerMs: null, downSinceMs: 7 } as const
  expect(one('objects', { engines: [engine] })).toEqual({
    ...{ name: 'objects', status: 'down', figures: { answer_ms: null, down_since: 7 } },
  })
  expect(statusOf('descriptors', { descriptors: { isShort: true, open: 9, limit: 9 } })).toBe('degraded')
  const cluster: ClusterStats = {
    ...{ kind: 'cluster', markets: 1, partitions: 2, segments: 3, segmentBytes: 4, daysToCompact: 5 },
    ...{ segmentsToSweep: 6, isNotified: true, node: null },
  }
  expect(statusOf('cluster', { store: cluster })).toBe('ok')
  expect(statusOf('cluster', { store: { ...cluster, isNotified: false } })).toBe('degraded')
  expect(one('cluster', { store: { ...cluster, isNotified: null } })).toMatchObject({
    ...{ status: 'ok', figures: { changes_heard: null } },
  })
  expect(one('storage', { store: cluster })?.figures).toEqual({
    ...{ markets: 1, market_days: 2, segments: 3, segment_bytes: 4 },
  })
})

test('a store in a folder has the sizes of its file', () => {
  const store: FileStats = {
    ...{ kind: 'file', markets: 1, partitions: 2, fileBytes: 3, usedBytes: 4, freeBytes: 5, mapBytes: 6 },
    ...{ readers: 7, readersMax: 8, blocks: 9 },
  }
  expect(one('storage', { store })?.figures).toEqual({
    ...{ markets: 1, market_days: 2, file_bytes: 3, used_bytes: 4, free_bytes: 5, map_bytes: 6 },
    ...{ reader_slots_used: 7, reader_slots: 8, blocks: 9 },
  })
})

test('the service is down without its store, and degraded by any other fault', () => {
  const service = (...states: [name: string, status: 'ok' | 'degraded' | 'down' | 'idle'][]) =>
    overall(states.map(([name, status]) => ({ name, status, figures: {} })))
  expect(service(['storage', 'ok'], ['a', 'idle'])).toBe('ok')
  expect(service(['storage', 'ok'], ['a', 'down'])).toBe('degraded')
  expect(service(['storage', 'ok'], ['a', 'degraded'])).toBe('degraded')
  expect(service(['storage', 'down'], ['a', 'ok'])).toBe('down')
})
