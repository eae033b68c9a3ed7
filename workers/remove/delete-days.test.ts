// Removed days are gone, later days that depended on them stay correct, and old cursors into them are refused.

import { expect, test } from 'bun:test'
import { kalshiDelta, kalshiSnapshot, TICKER } from '../../test/model/lines.ts'
import { type TestStore, withStore } from '../../test/support/store.ts'
import type { Position } from '../requests.ts'
import { verifyStore } from '../verify/verify-store.ts'
import { deleteDays } from './delete-days.ts'

const DATES = ['2026-08-10', '2026-08-11', '2026-08-12']
const DAY_MS = 86_400_000
const OTHER = 'KXTEST-2'

/** Returns a day of a market. Only the first of three days has a snapshot, so each later day continues the book. */
const lines = (day: number) => {
  const deltas = [0, 1, 2].map((i) => kalshiDelta(day * DAY_MS + i * 1_000, `0.${4 + day}${i}00`, '2.00'))
  const snapshot = kalshiSnapshot([['0.2000', '5.00']], [['0.3000', '7.00']])
  return [...(day === 0 ? [snapshot] : []), ...deltas].map((each) => JSON.stringify(each))
}

async function load(store: TestStore, days: number[]): Promise<void> {
  await store.loadLines(`${days.join()}.ndjson`, days.flatMap(lines))
}

async function threeDays(store: TestStore): Promise<void> {
  await load(store, [0, 1, 2])
  await store.loadLines('other.ndjson', [lines(0).join('\n').replaceAll(TICKER, OTHER)])
}

async function expectSound({ store }: TestStore): Promise<void> {
  store.refresh()
  expect(await verifyStore(store)).toMatchObject({ damage: [], storeDamage: [] })
}

async function positionIn(store: TestStore, date: string): Promise<Position> {
  const fromMs = Date.parse(date)
  const scope = { fromMs, toMs: fromMs + DAY_MS - 1, after: null }
  const { next } = await store.page({ venue: 'kalshi', market: TICKER, book: null, limit: 2, scope })
  return next!
}

const pageAfter = (store: TestStore, after: Position) => {
  const scope = { fromMs: Date.parse(after.date), toMs: Date.parse(after.date) + DAY_MS - 1, after }
  return store.page({ venue: 'kalshi', market: TICKER, book: null, limit: 2, scope })
}

test('one day in the middle: the day after starts from the book of the day before', async () => {
  await withStore(async (store) => {
    await threeDays(store)
    const laterRecords = await store.records('kalshi', TICKER, DATES[2]!)
    expect(await deleteDays(store.store, 'kalshi', TICKER, DATES[1])).toEqual([{ date: DATES[1]!, records: 3 }])
    await expectSound(store)
    expect(await store.dates('kalshi', TICKER)).toEqual([DATES[0]!, DATES[2]!])
    expect(await store.records('kalshi', TICKER, DATES[2]!)).toEqual(laterRecords)
    // The store equals one without that day.
    await withStore(async (other) => {
      await load(other, [0, 2])
      const headOf = async ({ store: { catalogue } }: TestStore) =>
        (await catalogue.head({ venue: 'kalshi', market: TICKER, date: DATES[2]! }))!.books
      expect(await headOf(store)).toEqual(await headOf(other))
    })
    expect(await store.store.catalogue.market('kalshi', TICKER)).toMatchObject({ dateCount: 2, lastDate: DATES[2]! })
  })
})

test('a whole market, and nothing of others', async () => {
  await withStore(async (store) => {
    await threeDays(store)
    const stamp = await store.store.catalogue.marketsStamp()
    expect((await deleteDays(store.store, 'kalshi', TICKER)).map(({ date }) => date)).toEqual(DATES)
    await expectSound(store)
    expect(await store.store.catalogue.market('kalshi', TICKER)).toBeUndefined()
    const page = await store.store.catalogue.markets('kalshi', { prefix: '', offset: 0, limit: 10 })
    expect(page).toEqual({ markets: [OTHER], totalCount: 1 })
    expect(await store.store.catalogue.marketsStamp()).not.toBe(stamp)
    expect(await deleteDays(store.store, 'kalshi', TICKER)).toEqual([])
  })
})

test.each([
  ['the same records', 1, 1],
  ['other records', 1, 2],
])('cursors of a removed day are stale, also when %s were loaded since', async (_, day, again) => {
  await withStore(async (store) => {
    await threeDays(store)
    const position = await positionIn(store, DATES[day]!)
    await deleteDays(store.store, 'kalshi', TICKER, DATES[day])
    store.store.refresh()
    await expect(pageAfter(store, position)).rejects.toMatchObject({ code: 'cursor_stale' })
    const moved = lines(day).map((line) => line.replaceAll('"2.00"', `"${again}.50"`))
    await store.loadLines('again.ndjson', moved)
    await expect(pageAfter(store, position)).rejects.toMatchObject({ code: 'cursor_stale' })
    await expectSound(store)
  })
})

test('a deletion is planned again after a load of the day, and also deletes the records of that load', async () => {
  await withStore(async (store) => {
    await threeDays(store)
    const { catalogue } = store.store
    const commit = catalogue.commit.bind(catalogue)
    let commits = 0
    catalogue.commit = async (changes) => {
      catalogue.commit = commit
      commits++
      await store.loadLines('late.ndjson', [JSON.stringify(kalshiDelta(DAY_MS + 9_000, '0.5500', '1.00'))])
      return commit(changes)
    }
    const removed = await deleteDays(store.store, 'kalshi', TICKER, DATES[1])
    expect(commits).toBe(1)
    expect(removed).toEqual([{ date: DATES[1]!, records: 4 }])
    await expectSound(store)
  })
})
