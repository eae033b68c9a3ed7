// Tests one reading of the service: values that cannot be read are null, and the others are present.

import { expect, test } from 'bun:test'
import { readService, type ServiceSources } from './service-reading.ts'

const fails = () => {
  throw new Error('away')
}
const ACCOUNTS = { name: 'accounts', isUp: true, answerMs: 3, downSinceMs: null }
const SOURCES = {
  catalogue: { lastRecordMs: async (venue: string) => (venue === 'kalshi' ? 4_000 : null) },
  workers: { stats: () => ({ threads: 2 }) },
  accounts: { unwritten: () => ({ requests: 1, seconds: 2 }) },
  probe: { states: async () => [ACCOUNTS] },
  nowMs: () => 10_000,
} as unknown as ServiceSources

const read = (changes: object) => readService({ ...SOURCES, ...changes })

test('a minimal reading has no more than the app itself', async () => {
  expect(await read({})).toEqual({
    ...{ isReadable: true, store: null, disk: null, engines: [], descriptors: null, recorder: null },
    pool: { threads: 2 } as never,
    accounts: { ...ACCOUNTS, unwritten: { requests: 1, seconds: 2 } },
    lastRecords: { polymarket: null, kalshi: { timestampMs: 4_000, ageSeconds: 6 } },
  })
})

test('a source that fails is null, and the others keep their values', async () => {
  const failing = {
    diskStats: fails,
    descriptors: fails,
    recorder: fails,
    engines: () => Promise.reject(new Error('x')),
  }
  expect(await read({ ...failing, storeStats: async () => ({ kind: 'file' }) })).toMatchObject({
    ...{ isReadable: true, store: { kind: 'file' }, disk: null, engines: [], descriptors: null, recorder: null },
  })
  expect(await read({ diskStats: () => ({ bytes: 5 }), recorder: fails })).toMatchObject({ disk: { bytes: 5 } })
})

test('a store whose counts or newest records cannot be read is not readable', async () => {
  expect((await read({ storeStats: () => Promise.reject(new Error('x')) })).isReadable).toBe(false)
  expect(await read({ catalogue: { lastRecordMs: () => Promise.reject(new Error('x')) } })).toMatchObject({
    ...{ isReadable: false, lastRecords: { polymarket: null, kalshi: null } },
  })
})

test('a record that is newer than the clock has no negative age', async () => {
  const { lastRecords } = await read({ nowMs: () => 1_000 })
  expect(lastRecords.kalshi).toEqual({ timestampMs: 4_000, ageSeconds: 0 })
})
