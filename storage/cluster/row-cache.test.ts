// Goal: while the database tells what changes, no row is used that a change has passed, whenever it comes.

import { describe, expect, test } from 'bun:test'
import { ChangeNotices, noticeMemory } from './change-notices.ts'
import type { ClusterDatabase, MarketRow } from './database/cluster-database.ts'
import { RowCache, type RowCacheOptions } from './row-cache.ts'

const NAME = { venue: 'kalshi', market: 'KX' } as const
const rowOf = (revision: number): MarketRow => ({ revision, base: 0, recordCount: revision, dates: [] })

/** A database whose answers leave with what is true when they are asked, and arrive when the test lets them. */
function slowDatabase(options?: RowCacheOptions) {
  const asked: (() => void)[] = []
  const stored = { revision: 1 }
  const later = <T>(answer: T) => new Promise<T>((resolve) => void asked.push(() => resolve(answer)))
  const database = {
    marketRows: () => later([rowOf(stored.revision)]),
    revisions: () => later([stored.revision]),
  } as unknown as ClusterDatabase
  /** Lets the next question be answered. */
  const answer = async () => {
    while (asked.length === 0) await Bun.sleep(0)
    asked.shift()!()
  }
  return { stored, asked, answer, rows: new RowCache(database, options) }
}

test('a row that is known is used while changes are told, and asked for again after one', async () => {
  const { stored, asked, answer, rows } = slowDatabase()
  rows.watching()
  const first = rows.market(NAME.venue, NAME.market)
  await answer()
  expect((await first)?.revision).toBe(1)
  rows.refresh()
  expect((await rows.market(NAME.venue, NAME.market))?.revision).toBe(1)
  expect(asked.length).toBe(0)
  stored.revision = 2
  rows.changed([NAME])
  const second = rows.market(NAME.venue, NAME.market)
  await answer()
  expect((await second)?.revision).toBe(2)
})

test('a change that is told while a row is on its way is not lost', async () => {
  const { stored, asked, answer, rows } = slowDatabase()
  rows.watching()
  const first = rows.market(NAME.venue, NAME.market)
  while (asked.length === 0) await Bun.sleep(0)
  stored.revision = 2
  rows.changed([NAME])
  await answer()
  expect((await first)?.revision).toBe(1)
  const second = rows.market(NAME.venue, NAME.market)
  // It checks the revision, and reads the row.
  await answer()
  await answer()
  expect((await second)?.revision).toBe(2)
})

test('a change that is told while a revision is checked is not lost', async () => {
  const { stored, asked, answer, rows } = slowDatabase()
  rows.watching()
  const first = rows.market(NAME.venue, NAME.market)
  await answer()
  await first
  rows.lost()
  rows.watching()
  const second = rows.market(NAME.venue, NAME.market)
  while (asked.length === 0) await Bun.sleep(0)
  stored.revision = 2
  rows.changed([NAME])
  await answer()
  expect((await second)?.revision).toBe(1)
  const third = rows.market(NAME.venue, NAME.market)
  await answer()
  expect((await third)?.revision).toBe(2)
})

test('what was read while nothing was told is checked when changes are told again', async () => {
  const { stored, answer, rows } = slowDatabase()
  const first = rows.market(NAME.venue, NAME.market)
  await answer()
  await first
  stored.revision = 2
  rows.watching()
  const second = rows.market(NAME.venue, NAME.market)
  await answer()
  await answer()
  expect((await second)?.revision).toBe(2)
})

describe('a thread that sleeps while another one listens', () => {
  function threads() {
    const memory = noticeMemory()
    const listening = slowDatabase({ shares: new ChangeNotices(memory) })
    return { listening, sleeping: slowDatabase({ heeds: new ChangeNotices(memory) }) }
  }

  /** Whether the row was asked for, or checked; the next task's. */
  async function ask({ rows, asked, answer }: ReturnType<typeof slowDatabase>) {
    rows.refresh()
    const row = rows.market(NAME.venue, NAME.market)
    await Bun.sleep(0)
    let questions = 0
    while (asked.length > 0) {
      questions++
      await answer()
      await Bun.sleep(0)
    }
    return { revision: (await row)?.revision, questions }
  }

  test('uses a row that it knows until the other one hears of a change', async () => {
    const { listening, sleeping } = threads()
    listening.rows.watching()
    expect(await ask(sleeping)).toEqual({ revision: 1, questions: 1 })
    expect(await ask(sleeping)).toEqual({ revision: 1, questions: 0 })
    sleeping.stored.revision = 2
    expect(await ask(sleeping)).toEqual({ revision: 1, questions: 0 })
    listening.rows.changed([NAME])
    expect(await ask(sleeping)).toEqual({ revision: 2, questions: 2 })
    expect(await ask(sleeping)).toEqual({ revision: 2, questions: 0 })
  })

  test('checks a row each time while changes may pass unheard, and once when they are heard again', async () => {
    const { listening, sleeping } = threads()
    expect(await ask(sleeping)).toEqual({ revision: 1, questions: 1 })
    expect(await ask(sleeping)).toEqual({ revision: 1, questions: 1 })
    listening.rows.watching()
    expect(await ask(sleeping)).toEqual({ revision: 1, questions: 1 })
    expect(await ask(sleeping)).toEqual({ revision: 1, questions: 0 })
    listening.rows.lost()
    sleeping.stored.revision = 2
    listening.rows.watching()
    expect(await ask(sleeping)).toEqual({ revision: 2, questions: 2 })
  })

  test('answers nothing older than the other one, which read a row before it heard of its change', async () => {
    const { listening, sleeping } = threads()
    listening.rows.watching()
    expect(await ask(sleeping)).toEqual({ revision: 1, questions: 1 })
    sleeping.stored.revision = 2
    listening.stored.revision = 2
    expect(await ask(listening)).toEqual({ revision: 2, questions: 1 })
    expect(await ask(sleeping)).toEqual({ revision: 2, questions: 2 })
  })

  test('checks a row again whose change was heard while it was on its way', async () => {
    const { listening, sleeping } = threads()
    listening.rows.watching()
    sleeping.rows.refresh()
    const first = sleeping.rows.market(NAME.venue, NAME.market)
    while (sleeping.asked.length === 0) await Bun.sleep(0)
    sleeping.stored.revision = 2
    listening.rows.changed([NAME])
    await sleeping.answer()
    expect((await first)?.revision).toBe(1)
    expect(await ask(sleeping)).toEqual({ revision: 2, questions: 2 })
  })
})
