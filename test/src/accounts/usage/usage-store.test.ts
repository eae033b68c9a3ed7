// Usage in the database: written once, added up, and told by the statistics.

import { expect, test } from 'bun:test'
import { createKey, listKeys } from '../../../../src/accounts/keys/keys.ts'
import type { Call } from '../../../../src/accounts/usage/call.ts'
import {
  readHourCounts,
  readPopularMarkets,
  readRecentRequests,
  readRequestCount,
  readServiceStatistics,
} from '../../../../src/accounts/usage/request-statistics.ts'
import { RECENT_MAX, UsageBatch } from '../../../../src/accounts/usage/usage-batch.ts'
import {
  deleteOldUsage,
  readMonthCalls,
  type StoredMarket,
  writeUsage,
} from '../../../../src/accounts/usage/usage-store.ts'
import { onEachDatabase, openEmpty } from '../../../support/accounts.ts'
import { answeredCall } from '../../../support/calls.ts'

const NOW = Date.parse('2026-11-21T13:30:00.000Z')
const HOUR = 3_600_000
const DAY = 24 * HOUR
const allStored: StoredMarket = (_, given) => given

function batchOf(calls: Call[], nowMs = NOW): UsageBatch {
  const batch = new UsageBatch(nowMs)
  for (const call of calls) batch.add(call)
  return batch
}

onEachDatabase((make) => {
  test('batches of several processes add up, and each is told the sum', async () => {
    await using opened = await openEmpty(make)
    const { database } = opened
    const write = (writer: string, batch: number, calls: Call[]) =>
      writeUsage(database, batchOf(calls), { writer, batch }, allStored)
    expect([...(await write('a', 1, [answeredCall(), answeredCall({ userId: 'bob' })]))].sort()).toEqual([
      ['ann', 1],
      ['bob', 1],
    ])
    expect([...(await write('b', 1, [answeredCall(), answeredCall({ counts: false, status: 400 })]))]).toEqual([
      ['ann', 2],
    ])
    expect(await readRequestCount(database.read, 'ann')).toBe(3)
    expect(await readRequestCount(database.read, 'nobody')).toBe(0)
    expect((await readMonthCalls(database.read, ['ann'], '2026-10')).size).toBe(0)
  })

  test('a batch that is written again, since its commit was not heard of, counts once', async () => {
    await using opened = await openEmpty(make)
    const { database } = opened
    const batch = batchOf([answeredCall()])
    await writeUsage(database, batch, { writer: 'a', batch: 1 }, allStored)
    expect([...(await writeUsage(database, batch, { writer: 'a', batch: 1 }, allStored))]).toEqual([['ann', 1]])
    await writeUsage(database, batchOf([answeredCall()]), { writer: 'a', batch: 2 }, allStored)
    expect(await readRequestCount(database.read, 'ann')).toBe(2)
  })

  test('hours are told with requests, in order, clipped to the range', async () => {
    await using opened = await openEmpty(make)
    const { database } = opened
    for (const [index, hours] of [0, 1, 3].entries()) {
      const nowMs = NOW + hours * HOUR
      await writeUsage(
        database,
        batchOf([answeredCall({ nowMs })], nowMs),
        { writer: 'a', batch: index + 1 },
        allStored,
      )
    }
    const counts = (fromMs: number, toMs: number) => readHourCounts(database.read, { userId: 'ann', fromMs, toMs })
    expect(await counts(NOW, NOW + 3 * HOUR)).toEqual([
      { hour: '2026-11-21T13:00:00Z', count: 1 },
      { hour: '2026-11-21T14:00:00Z', count: 1 },
      { hour: '2026-11-21T16:00:00Z', count: 1 },
    ])
    expect(await counts(NOW + HOUR, NOW + HOUR)).toEqual([{ hour: '2026-11-21T14:00:00Z', count: 1 }])
  })

  test('the newest requests are kept, as many as are promised, the last first', async () => {
    await using opened = await openEmpty(make)
    const { database } = opened
    const paths = Array.from({ length: 3 * RECENT_MAX + 7 }, (_, index) => `/${index}`)
    const sizes = [1, RECENT_MAX - 2, 5, RECENT_MAX * 2 + 3]
    for (const [index, size] of sizes.entries()) {
      const calls = paths.splice(0, size).map((path) => answeredCall({ path }))
      await writeUsage(database, batchOf(calls), { writer: 'a', batch: index + 1 }, allStored)
    }
    const recent = await readRecentRequests(database.read, 'ann', RECENT_MAX)
    const last = 3 * RECENT_MAX + 6
    expect(recent.map(({ path }) => path)).toEqual(Array.from({ length: RECENT_MAX }, (_, index) => `/${last - index}`))
    expect(recent[0]).toEqual({
      ...{ time: '2026-11-21T13:30:00.002Z', method: 'GET', path: `/${last}`, status: 200, durationMs: 2 },
      keyId: 'key_of_ann',
    })
    const [row]: { count: number }[] = await database.read`SELECT count(*) AS count FROM recent_requests`
    expect(Number(row?.count)).toBe(RECENT_MAX)
  })

  test('markets are counted by the id they are stored under, and others are not', async () => {
    await using opened = await openEmpty(make)
    const { database } = opened
    const stored: StoredMarket = (_, given) => (given.toUpperCase() === 'KXTEST' ? 'KXTEST' : null)
    const calls = ['kxtest', 'KXTEST', 'KXGONE'].map((market) => answeredCall({ market }))
    await writeUsage(database, batchOf(calls), { writer: 'a', batch: 1 }, stored)
    const old = answeredCall({ market: 'kxtest', nowMs: NOW - 2 * DAY })
    await writeUsage(database, batchOf([old], NOW - 2 * DAY), { writer: 'a', batch: 2 }, stored)
    const popular = (days: number) => readPopularMarkets(database.read, { limit: 10, days, nowMs: NOW })
    expect(await popular(2)).toEqual([{ venue: 'kalshi', market: 'KXTEST', requests: 2 }])
    expect(await popular(3)).toEqual([{ venue: 'kalshi', market: 'KXTEST', requests: 3 }])
    await deleteOldUsage(database, NOW + 365 * DAY)
    expect(await popular(3)).toEqual([{ venue: 'kalshi', market: 'KXTEST', requests: 2 }])
    await deleteOldUsage(database, NOW + 800 * DAY)
    expect(await popular(3)).toEqual([])
    expect(await readHourCounts(database.read, { userId: 'ann', fromMs: 0, toMs: NOW })).toEqual([])
    expect(await readRequestCount(database.read, 'ann')).toBe(4)
  })

  test('the figures of the whole service, with the last 24 hours apart', async () => {
    await using opened = await openEmpty(make)
    const { database } = opened
    const { keyId } = await createKey(database, { userId: 'ann', name: 'a' }, 'free')
    await createKey(database, { userId: 'ann', name: 'b', expiresAt: '2020-01-01T00:00:00.000Z' }, 'free')
    const calls = [answeredCall({ keyId }), answeredCall({ status: 429, counts: false })]
    await writeUsage(database, batchOf(calls), { writer: 'a', batch: 1 }, allStored)
    const before = answeredCall({ nowMs: NOW - 30 * HOUR, status: 500, counts: false })
    await writeUsage(database, batchOf([before], NOW - 30 * HOUR), { writer: 'a', batch: 2 }, allStored)
    const sum = { requests: 2, calls: 1, refused: 1, failed: 0 }
    expect(await readServiceStatistics(database.read, NOW)).toEqual({
      users: 1,
      keys: { total: 2, active: 1 },
      total: { requests: 3, calls: 1, refused: 1, failed: 1 },
      last24Hours: { ...sum, hours: [{ hour: '2026-11-21T13:00:00Z', count: 2 }] },
    })
    const { keys } = await listKeys(database.read, { userId: 'ann', offset: 0, limit: 10 })
    expect(keys.find((key) => key.keyId === keyId)?.lastUsedAt).toBe('2026-11-21T13:30:00.002Z')
  })

  test('many users in one batch', async () => {
    await using opened = await openEmpty(make)
    const { database } = opened
    const calls = Array.from({ length: 3_000 }, (_, index) => answeredCall({ userId: `user ${index % 1_500}` }))
    const sums = await writeUsage(database, batchOf(calls), { writer: 'a', batch: 1 }, allStored)
    expect([sums.size, new Set(sums.values())]).toEqual([1_500, new Set([2])])
  })
})
