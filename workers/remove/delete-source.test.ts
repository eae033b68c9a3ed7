// An archive can be deleted. The store then answers as if the archive had never been loaded.

import { expect, test } from 'bun:test'
import { archivesOf } from '../../storage/format/head-layers.ts'
import { VENUES } from '../../storage/venue.ts'
import { kalshiDelta, kalshiSnapshot, TICKER } from '../../test/model/lines.ts'
import { seeds } from '../../test/run/effort.ts'
import { type AnyStore, dateRequest, type TestStore, withStore } from '../../test/support/store.ts'
import { RandomCapture } from '../../test/workers/load/random-capture.ts'
import { Random } from '../synthetic/random.ts'
import { verifyStore } from '../verify/verify-store.ts'
import { daysOfSource, deleteSource } from './delete-source.ts'

/** Returns what a store answers and what its heads contain, except version numbers and the way records are divided
 *  into blocks. */
async function contents(tested: AnyStore): Promise<unknown[]> {
  const all: unknown[] = []
  const { catalogue } = tested.store
  tested.store.refresh()
  for (const venue of VENUES) {
    const { markets } = await catalogue.markets(venue, { prefix: '', offset: 0, limit: 100 })
    for (const market of markets) {
      const { revision: _, ...entry } = (await catalogue.market(venue, market))! as { revision?: number }
      all.push({ market, entry })
      for (const { date, head } of await catalogue.heads(venue, market)) {
        const { version: _v, revision: _r, nextId: _n, blocks, rollups: _o, edits: _e, ...headValues } = head
        all.push({ market, date, headValues, records: blocks.reduce((sum, { recordCount }) => sum + recordCount, 0) })
        all.push(await tested.records(venue, market, date))
        for (const { id } of head.books) all.push(await tested.summary(dateRequest(venue, market, id, date, 60)))
      }
    }
  }
  return all
}

async function recordsOf({ store: { catalogue } }: TestStore): Promise<number> {
  let records = 0
  for (const venue of VENUES) {
    for await (const key of catalogue.partitions(venue)) records += (await catalogue.head(key))!.recordCount
  }
  return records
}

async function expectSound({ store }: TestStore): Promise<void> {
  store.refresh()
  expect(await verifyStore(store)).toMatchObject({ damage: [], storeDamage: [] })
}

async function takeOut({ store }: TestStore, source: string, commitBytes?: number): Promise<number> {
  const days = await Array.fromAsync(daysOfSource(store, source, VENUES, {}))
  const removed: unknown[] = []
  for (const same of Map.groupBy(days, ({ venue, market }) => `${venue} ${market}`).values()) {
    const { venue, market } = same[0]!
    for (const day of await deleteSource(store, same[0]!, source, undefined, commitBytes)) {
      removed.push({ venue, market, ...day })
    }
  }
  expect(removed).toEqual(days)
  store.refresh()
  expect(await Array.fromAsync(daysOfSource(store, source, VENUES, {}))).toEqual([])
  return days.reduce((sum, { records }) => sum + records, 0)
}

test.each(seeds(0, 4, 32))('as if it had never been loaded, seed %d', async (seed) => {
  const random = new Random(seed, 'sources')
  const own = new RandomCapture(seed, seed % 2 === 0).lines(random.between(2, 120))
  // Each archive also has some of the own records.
  const archives = ['pmxt-v2', 'ag6'].map((source, i) => {
    const others = new RandomCapture(1_000 + 2 * seed + i, seed % 3 !== 0).lines(random.between(2, 120))
    return { source, lines: [...others, ...own.filter(() => random.chance(0.2))] }
  })
  await withStore((never) =>
    withStore(async (store) => {
      await never.loadLines('own', own)
      await store.loadLines('own', own)
      for (const { source, lines } of archives) {
        expect(await store.loadLines(source, lines, source)).toMatchObject({ error: null })
        // A second load changes nothing.
        expect(await store.loadLines(source, lines, source)).toMatchObject({ recordsAdded: 0 })
      }
      expect(await store.loadLines('own again', own)).toMatchObject({ recordsAdded: 0 })
      await expectSound(store)
      for (const { source } of random.chance(0.5) ? archives : archives.toReversed()) {
        expect(await takeOut(store, source, random.pick([undefined, 1, 2_000]))).toBeGreaterThan(0)
        await expectSound(store)
      }
      expect(await contents(store)).toEqual(await contents(never))
    }),
  )
})

test('records that were recorded after the load of the archive stay', async () => {
  const capture = new RandomCapture(7, true)
  const lines = capture.lines(200)
  await withStore((never) =>
    withStore(async (store) => {
      await never.loadLines('own', lines)
      await store.loadLines('archive', lines, 'pmxt-v2')
      expect(await store.loadLines('own', lines)).toMatchObject({ recordsAdded: await recordsOf(never) })
      expect(await takeOut(store, 'pmxt-v2')).toBe(await recordsOf(never))
      await expectSound(store)
      expect(await contents(store)).toEqual(await contents(never))
    }),
  )
})

const START = Date.parse('2026-08-10')
const DAY_MS = 86_400_000

test('in days of many blocks, and those that follow from them', async () => {
  const snapshot = kalshiSnapshot([['0.2000', '5.00']], [['0.3000', '7.00']])
  const deltas = (from: number, count: number, price: string) =>
    Array.from({ length: count }, (_, i) => JSON.stringify(kalshiDelta(from + i * 1_000, price, `${1 + (i % 9)}.00`)))
  // The second day continues the book of the first, the third that of the second.
  const own = [JSON.stringify(snapshot), ...deltas(0, 40_000, '0.4100'), ...deltas(2 * DAY_MS, 10, '0.4200')]
  const archived = [...deltas(20_000_500, 20_000, '0.4300'), ...deltas(DAY_MS + 500, 50, '0.4400')]
  await withStore((never) =>
    withStore(async (store) => {
      await never.loadLines('own', own)
      await store.loadLines('own', own)
      await store.loadLines('archive', archived, 'pmxt-v2')
      const heads = await store.store.catalogue.heads('kalshi', TICKER)
      expect(heads.map(({ head }) => archivesOf(head)[0]?.records)).toEqual([20_000, 50, undefined])
      expect(heads[0]!.head.blocks.length).toBeGreaterThan(3)
      const last = new Date(START + DAY_MS).toISOString().slice(0, 10)
      const range = { from: last, to: last }
      expect(await deleteSource(store.store, { venue: 'kalshi', market: TICKER }, 'pmxt-v2', range)).toEqual([
        { date: last, records: 50 },
      ])
      await expectSound(store)
      expect(await store.dates('kalshi', TICKER)).toEqual([heads[0]!.date, heads[2]!.date])
      expect(await takeOut(store, 'pmxt-v2')).toBe(20_000)
      await expectSound(store)
      expect(await contents(store)).toEqual(await contents(never))
    }),
  )
})

test('a deletion is planned again after a load of the day, and keeps the records of that load', async () => {
  await withStore(async (store) => {
    await store.loadLines('archive', [JSON.stringify(kalshiDelta(1_000, '0.4100', '1.00'))], 'pmxt-v2')
    const { catalogue } = store.store
    const commit = catalogue.commit.bind(catalogue)
    catalogue.commit = async (changes) => {
      catalogue.commit = commit
      await store.loadLines('own', [JSON.stringify(kalshiDelta(9_000, '0.5500', '1.00'))])
      return commit(changes)
    }
    expect(await takeOut(store, 'pmxt-v2')).toBe(1)
    const { market, date } = (await Array.fromAsync(catalogue.partitions('kalshi')))[0]!
    expect((await store.records('kalshi', market, date)).length).toBe(1)
    await expectSound(store)
  })
})
