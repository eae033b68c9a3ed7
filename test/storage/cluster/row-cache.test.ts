// Goal: while the database tells what changes, no row is used that a change has passed, whenever it comes.

import { expect, test } from 'bun:test'
import type { ClusterDatabase, MarketRow } from '../../../storage/cluster/database/cluster-database.ts'
import { RowCache } from '../../../storage/cluster/row-cache.ts'

const NAME = { venue: 'kalshi', market: 'KX' } as const
const rowOf = (revision: number): MarketRow => ({ revision, base: 0, recordCount: revision, dates: [] })

/** A database whose answers leave with what is true when they are asked, and arrive when the test lets them. */
function slowDatabase() {
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
  return { stored, asked, answer, rows: new RowCache(database) }
}

test('a row that is known is used while changes are told, and asked for again after one', async () => {
  const { stored, asked, answer, rows } = slowDatabase()
  rows.heard()
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
  rows.heard()
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
  rows.heard()
  const first = rows.market(NAME.venue, NAME.market)
  await answer()
  await first
  rows.lost()
  rows.heard()
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
  rows.heard()
  const second = rows.market(NAME.venue, NAME.market)
  await answer()
  await answer()
  expect((await second)?.revision).toBe(2)
})
