// Tests that usage is written to the database once, and added up.

import { expect, test } from 'bun:test'
import { onEachDatabase, openEmpty } from '../../../test/support/accounts.ts'
import { answeredCall, batchOf } from '../../../test/support/calls.ts'
import type { Call } from './call.ts'
import {
  readHourCounts,
  readPopularMarkets,
  readRecentRequests,
  readRequestCount,
  readServiceStatistics,
} from './request-statistics.ts'
import { deleteOldUsage, readMonthCalls, type StoredMarket, writeUsage } from './usage-store.ts'

const NOW = Date.parse('2026-11-21T13:30:00.000Z')
const DAY = 86_400_000
const allStored: StoredMarket = (_, given) => given

onEachDatabase((make) => {
  test('batches of several processes add up, and each process gets the sum', async () => {
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

  test('a batch that is written again because the answer to its commit was lost counts once', async () => {
    await using opened = await openEmpty(make)
    const { database } = opened
    const batch = batchOf([answeredCall()])
    await writeUsage(database, batch, { writer: 'a', batch: 1 }, allStored)
    expect([...(await writeUsage(database, batch, { writer: 'a', batch: 1 }, allStored))]).toEqual([['ann', 1]])
    await writeUsage(database, batchOf([answeredCall()]), { writer: 'a', batch: 2 }, allStored)
    expect(await readRequestCount(database.read, 'ann')).toBe(2)
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

  test('the last use of a key is the latest, unless a wrong clock put it in the future', async () => {
    await using opened = await openEmpty(make)
    const { database } = opened
    let batch = 0
    const usedAt = async (ms: number) => {
      const calls = [answeredCall({ nowMs: NOW + ms })]
      await writeUsage(database, batchOf(calls, NOW + ms), { writer: 'a', batch: ++batch }, allStored, NOW)
      const [row]: { last_used_at: string | Date }[] = await database.read`SELECT last_used_at FROM key_uses`
      return Math.floor((new Date(row!.last_used_at).getTime() - NOW) / 1_000)
    }
    expect([await usedAt(-9_000), await usedAt(-5_000), await usedAt(-7_000)]).toEqual([-9, -5, -5])
    expect([await usedAt(DAY), await usedAt(-3_000)]).toEqual([DAY / 1_000, -3])
  })

  test('the service counts requests, calls, refusals and failures of all batches', async () => {
    await using opened = await openEmpty(make)
    const { database } = opened
    const answered = (status: number) => answeredCall({ status, counts: status === 200 })
    for (const batch of [1, 2]) {
      const calls = [200, 200, 429, 503, 503, 503].map(answered)
      await writeUsage(database, batchOf(calls), { writer: 'a', batch }, allStored)
    }
    const sums = { requests: 12, calls: 4, refused: 2, failed: 6 }
    const { total, last24Hours } = await readServiceStatistics(database.read, NOW)
    expect([total, last24Hours]).toMatchObject([sums, sums])
  })

  test('a key in a path is not stored', async () => {
    await using opened = await openEmpty(make)
    const secret = `bb_${'x'.repeat(43)}`
    const calls = [answeredCall({ path: `/kalshi/files/${secret}/a` })]
    await writeUsage(opened.database, batchOf(calls), { writer: 'a', batch: 1 }, allStored)
    const recent = await readRecentRequests(opened.database.read, 'ann', 9)
    expect(recent.map(({ path }) => path)).toEqual(['/kalshi/files/[secret]/a'])
  })

  test('many users in one batch', async () => {
    await using opened = await openEmpty(make)
    const { database } = opened
    const calls = Array.from({ length: 3_000 }, (_, index) => answeredCall({ userId: `user ${index % 1_500}` }))
    const sums = await writeUsage(database, batchOf(calls), { writer: 'a', batch: 1 }, allStored)
    expect([sums.size, new Set(sums.values())]).toEqual([1_500, new Set([2])])
  })
})
