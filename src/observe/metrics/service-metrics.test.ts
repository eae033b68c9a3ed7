// Tests the metrics of the store, the disk, the accounts and the newest records.

import { expect, test } from 'bun:test'
import type { ServiceReading, ServiceSources } from '../stats/service-reading.ts'
import { serviceMetrics } from './service-metrics.ts'

const READING = {
  ...{ isReadable: true, engines: [], descriptors: null, recorder: null },
  store: {
    ...{ kind: 'file', markets: 1, partitions: 2, blocks: 3, fileBytes: 4, usedBytes: 5, freeBytes: 6, mapBytes: 7 },
    ...{ readers: 8, readersMax: 9 },
  },
  disk: { bytes: 10, freeBytes: 11 },
  pool: { threads: 2, running: 0, queued: 0, queueMax: 9, completed: 0 },
  accounts: { isUp: true, answerMs: 1_500, unwritten: { requests: 12, seconds: 13 } },
  lastRecords: { polymarket: null, kalshi: { timestampMs: 4_500, ageSeconds: 6 } },
} as unknown as ServiceReading
const TASKS = { recent: () => ({ tasks: 0, workMs: { p50: null, p99: null }, waitMs: { p50: null, p99: null } }) }

const valuesOf = (changes: Partial<ServiceReading>) =>
  Object.fromEntries(
    serviceMetrics({ tasks: TASKS } as unknown as ServiceSources).flatMap(({ name, read }) => {
      return read({ ...READING, ...changes }).map(({ labels = {}, value }) => {
        return [[name.slice('backbook_'.length), ...Object.values(labels)].join(' '), value]
      })
    }),
  )

test('each metric has its own value', () => {
  const { component_status: _, ...values } = valuesOf({})
  expect(values).toMatchObject({
    ...{ store_markets: 1, store_market_days: 2, store_blocks: 3, store_file_bytes: 4, store_used_bytes: 5 },
    ...{ store_free_bytes: 6, store_map_bytes: 7, store_reader_slots_used: 8, store_reader_slots: 9 },
    ...{ disk_size_bytes: 10, disk_free_bytes: 11, accounts_up: 1, accounts_answer_seconds: 1.5 },
    ...{ usage_unwritten_requests: 12, usage_unwritten_seconds: 13 },
    ...{ 'last_record_timestamp_seconds kalshi': 4.5, 'last_record_age_seconds kalshi': 6 },
  })
  expect(values).not.toHaveProperty('last_record_age_seconds polymarket')
})

test('a component has one status, and 0 for the others', () => {
  const of = (name: string, changes: Partial<ServiceReading>) => {
    const values = valuesOf(changes)
    return ['ok', 'degraded', 'down', 'idle'].map((status) => values[`component_status ${name} ${status}`])
  }
  expect(of('storage', {})).toEqual([1, 0, 0, 0])
  expect(of('storage', { isReadable: false })).toEqual([0, 0, 1, 0])
  expect(of('ingestion_polymarket', {})).toEqual([0, 0, 0, 1])
})

test('an unknown value has no sample', () => {
  const accounts = { ...READING.accounts, isUp: false, answerMs: null }
  const values = valuesOf({ store: null, disk: null, accounts })
  expect(values['accounts_up']).toBe(0)
  for (const name of ['store_markets', 'store_file_bytes', 'disk_size_bytes', 'accounts_answer_seconds']) {
    expect(values).not.toHaveProperty(name)
  }
})
