// Tests the statistics of past requests, made from the recorded usage.

import { expect, test } from 'bun:test'
import { onEachDatabase, openEmpty } from '../../../test/support/accounts.ts'
import { answeredCall, batchOf } from '../../../test/support/calls.ts'
import { createKey, listKeys } from '../keys/keys.ts'
import { readHourCounts, readPopularMarkets, readRecentRequests, readServiceStatistics } from './request-statistics.ts'
import { RECENT_MAX } from './usage-batch.ts'
import { type StoredMarket, writeUsage } from './usage-store.ts'

const NOW = Date.parse('2026-11-21T13:30:00.000Z')
const HOUR = 3_600_000
const allStored: StoredMarket = (_, given) => given

onEachDatabase((make) => {
  test('returns hours that have requests, in order, within the range', async () => {
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

  test('returns the sums of the whole service, and those of the last 24 hours', async () => {
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

  test('stores the newest requests, up to the promised number, newest first', async () => {
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

  test('the busiest markets come first, ties by name, and only the requested days count', async () => {
    await using opened = await openEmpty(make)
    const { database } = opened
    const calls = ['KXB', 'KXA', 'KXC', 'KXC'].map((market) => answeredCall({ market }))
    await writeUsage(database, batchOf(calls), { writer: 'a', batch: 1 }, allStored)
    const before = answeredCall({ market: 'KXA', nowMs: NOW - 24 * HOUR })
    await writeUsage(database, batchOf([before], NOW - 24 * HOUR), { writer: 'a', batch: 2 }, allStored)
    const popular = async (days: number, limit: number) =>
      (await readPopularMarkets(database.read, { limit, days, nowMs: NOW })).map((each) => [each.market, each.requests])
    expect(await popular(1, 3)).toEqual([
      ['KXC', 2],
      ['KXA', 1],
      ['KXB', 1],
    ])
    expect(await popular(2, 2)).toEqual([
      ['KXA', 2],
      ['KXC', 2],
    ])
  })
})
