// long: copies between stores of each kind, the engines among them
// A copy has the same bytes and no damage, also if either store changes, after a kill, and with damage in the source.
// A copy never replaces the target's own records.

import { describe, expect, test } from 'bun:test'
import type { PartRef } from '../../storage/block-store.ts'
import { clusterStore } from '../../storage/cluster/cluster-store.ts'
import type { ArchiveLoad } from '../../storage/finding/provenance.ts'
import type { Store } from '../../storage/open-store.ts'
import { CONDITION, priceChange, TICKER } from '../../test/model/lines.ts'
import { Killed, killedAt } from '../../test/support/cluster/killed-at.ts'
import { MemoryClusterRows } from '../../test/support/cluster/memory-cluster-rows.ts'
import { MemoryObjects } from '../../test/support/cluster/memory-objects.ts'
import {
  ALL,
  contents,
  DATES,
  expectSound,
  fourDays,
  lines,
  load,
  OTHER,
  on,
  withTwo,
} from '../../test/support/copy/two-stores.ts'
import { memoryStore } from '../../test/support/memory-store/memory-store.ts'
import { type AnyStore, type StoreKind, TestStore, withStoreOf } from '../../test/support/store.ts'
import { deleteDays } from '../remove/delete-days.ts'
import { Random } from '../synthetic/random.ts'
import { copyStore } from './copy-store.ts'

const PAIRS: [StoreKind, StoreKind][] = [
  ['lmdb', 'cluster'],
  ['cluster', 'lmdb'],
  ['lmdb', 'lmdb'],
  ['cluster', 'cluster'],
]

describe.each(PAIRS)('from %s to %s', (...kinds) => {
  test('all of a store, once', () =>
    withTwo(kinds, async ({ from, to, copy }) => {
      await fourDays(from)
      expect(await copy()).toMatchObject({ markets: 3, days: 7, copied: 7, same: 0, leftOut: [] })
      expect(await contents(to)).toEqual(await contents(from))
      await expectSound(to)
      const revision = await to.store.catalogue.revision('kalshi', TICKER)
      expect(await copy()).toMatchObject({ markets: 3, copied: 0, same: 7, leftOut: [] })
      expect(await to.store.catalogue.revision('kalshi', TICKER)).toEqual(revision)
    }))

  test('a day without the one before: it starts from the same books, then and later', () =>
    withTwo(kinds, async ({ from, to, copy }) => {
      await fourDays(from)
      await copy(on(DATES[2]!))
      expect(await contents(to)).toEqual(await contents(from, [DATES[2]!]))
      await expectSound(to)
      // Later loads also continue from those books.
      const more = lines(2, TICKER, 10_000)
      await load(to, more)
      await load(from, more)
      await expectSound(to)
      expect(await to.records('kalshi', TICKER, DATES[2]!)).toEqual(await from.records('kalshi', TICKER, DATES[2]!))
      expect(await copy(on(DATES[2]!))).toMatchObject({ same: 2, leftOut: [] })
      // Copies the day before: from now on the copied day starts from it.
      await copy(on(DATES[1]!))
      await expectSound(to)
      await copy()
      await expectSound(to)
      expect(await contents(to)).toEqual(await contents(from))
    }))

  test('days that changed in the source are replaced, the others stay', () =>
    withTwo(kinds, async ({ from, to, copy }) => {
      await fourDays(from)
      await copy(on(DATES[1]!, DATES[3]))
      await load(from, lines(1, TICKER, 7_000))
      const report = await copy(on(DATES[1]!, DATES[3]))
      expect(report).toMatchObject({ copied: 3, same: 1, leftOut: [] })
      await expectSound(to)
      expect(await contents(to)).toEqual(await contents(from, DATES.slice(1)))
      expect(await copy(on(DATES[1]!, DATES[3]))).toMatchObject({ copied: 0, same: 4 })
    }))

  test('a day that follows from a copied one is still a copy', () =>
    withTwo(kinds, async ({ from, to, copy }) => {
      await fourDays(from)
      await copy()
      await load(from, lines(1, TICKER, 7_000))
      expect(await copy(on(DATES[1]!))).toMatchObject({ copied: 1, leftOut: [] })
      await expectSound(to)
      expect(await copy()).toMatchObject({ leftOut: [] })
      await expectSound(to)
      const recordsOf = (store: AnyStore) => Promise.all(DATES.map((date) => store.records('kalshi', TICKER, date)))
      expect(await recordsOf(to)).toEqual(await recordsOf(from))
      expect(await copy()).toMatchObject({ copied: 0, leftOut: [] })
    }))

  test('own records of the target are left out, and the rest is copied', () =>
    withTwo(kinds, async ({ from, to, copy }) => {
      await fourDays(from)
      await load(to, lines(1, TICKER, 5_000))
      const own = await contents(to)
      const { leftOut, copied, days } = await copy()
      expect(days).toBe(7)
      // The last day also brings the books of the day that was left out.
      expect(copied).toBe(5)
      expect(leftOut.map(({ date, why }) => [date, why])).toEqual([
        [DATES[1]!, 'other_records'],
        [DATES[2]!, 'follows_others'],
      ])
      expect(leftOut[0]!.what).toContain('ingest')
      await expectSound(to)
      const recordsBefore = Object.keys(own)
      expect(Object.keys(await contents(to))).toEqual(expect.arrayContaining(recordsBefore))
      expect(await to.records('kalshi', TICKER, DATES[1]!)).toHaveLength(4)
    }))

  test('a copied day to which the target added records is the own day of the target from then on', () =>
    withTwo(kinds, async ({ from, to, copy }) => {
      await fourDays(from)
      await copy()
      await load(to, lines(2, OTHER, 5_000))
      await load(from, lines(2, OTHER, 6_000))
      expect((await copy()).leftOut).toMatchObject([{ market: OTHER, date: DATES[2]!, why: 'other_records' }])
      expect(await to.records('kalshi', OTHER, DATES[2]!)).toHaveLength(8)
      await expectSound(to)
    }))

  test('a day that was removed from the target comes back with ids of its own', () =>
    withTwo(kinds, async ({ from, to, copy }) => {
      await fourDays(from)
      await copy()
      const key = { venue: 'kalshi', market: TICKER, date: DATES[1]! } as const
      const before = (await to.store.catalogue.head(key))!
      await deleteDays(to.store, 'kalshi', TICKER, DATES[1])
      await expectSound(to)
      expect(await copy()).toMatchObject({ leftOut: [] })
      await expectSound(to)
      to.store.refresh()
      const head = (await to.store.catalogue.head(key))!
      expect(head.blocks[0]!.id).toBeGreaterThanOrEqual(before.nextId)
      expect(head.revision).toBeGreaterThan(before.revision)
      expect(await to.records('kalshi', TICKER, DATES[1]!)).toEqual(await from.records('kalshi', TICKER, DATES[1]!))
      expect(await copy()).toMatchObject({ copied: 0, leftOut: [] })
      await load(from, lines(1, TICKER, 7_000))
      expect(await copy()).toMatchObject({ leftOut: [] })
      await expectSound(to)
      expect(await to.records('kalshi', TICKER, DATES[1]!)).toEqual(await from.records('kalshi', TICKER, DATES[1]!))
    }))
})

const CARD = { title: 'M', subtitle: null, slug: 'the-market', event: 'the-event', outcomes: [] }
const LOAD: ArchiveLoad = {
  ...{
    source: 'archive',
    format: 'pmxt-v2',
    file: 'a.parquet',
    url: null,
    bytes: 9,
    sha256: null,
    rows: 7,
    records: 7,
  },
  ...{ publisherSha256: null, markets: null, licence: null, attribution: null, clock: 'none', order: 'none' },
  ...{ hashStored: false, isRebuilt: false, repairs: [], startedAt: 1, finishedAt: 2, checkpoint: null },
}

describe('data stored besides the records', () => {
  const venue = 'polymarket' as const
  const metadata = { ...{ venue, market: CONDITION, said: { a: 1 }, saidMs: 5 }, card: CARD }
  const event = {
    venue,
    event: 'the-event',
    card: { title: 'Event', subtitle: null, category: null, series: null },
    said: { b: 2 },
    saidMs: 6,
  }

  async function known({ store: { catalogue } }: AnyStore) {
    return structuredClone({
      market: await catalogue.knownMarket(venue, CONDITION),
      slugs: [await catalogue.slug('the-event'), await catalogue.slug('the-market')],
      audits: await catalogue.audits(venue, CONDITION),
      loads: await catalogue.loads(),
    })
  }

  test('is the same, however often it is copied; loads only with all of the store', () =>
    withTwo(['lmdb', 'cluster'], async ({ from, to, copy }) => {
      await load(from, [JSON.stringify(priceChange(0, { price: '0.5', size: '1' }))])
      const { catalogue } = from.store
      await catalogue.putMetadata({ markets: [metadata], events: [event] }, 77)
      const market = { question: 'Q', conditionId: CONDITION, slug: 'the-market', asset_ids: ['1'], outcomes: ['Yes'] }
      const titled = { slug: 'the-event', title: 'Event' }
      const slugs = { events: [{ event: titled, markets: [market] }], markets: [{ event: titled, markets: [market] }] }
      await catalogue.putSlugs(slugs)
      const audits = [{ atUs: 1, book: null, result: 'exact' as const }]
      await catalogue.putAudits([{ venue, market: CONDITION, date: DATES[0]!, audits }])
      await catalogue.putLoads([LOAD])
      await copy({ ...ALL, markets: [CONDITION] })
      to.store.refresh()
      const { loads, ...rest } = await known(from)
      expect(await known(to)).toEqual({ ...rest, loads: [] })
      for (const _ of [1, 2]) {
        await copy()
        to.store.refresh()
        expect(await known(to)).toEqual({ ...rest, loads })
      }
    }))
})

const KEY = { venue: 'kalshi', market: TICKER, date: '2026-08-11' } as const

test('a part that is damaged in the source is named, and the rest is copied', () => {
  const objects = new MemoryObjects()
  return withStoreOf('lmdb', async (to) => {
    const store = new TestStore<Store>(() => clusterStore({ objects, rows: new MemoryClusterRows() }))
    try {
      await fourDays(store)
      const [first] = [...objects.stored.values()]
      const block = await store.store.blocks.fetch([{ key: KEY, kind: 'block', id: 1, book: 0 }])
      const at = Buffer.from(first!.bytes).indexOf(block.bytes(KEY, { kind: 'block', id: 1, book: 0 }).subarray(8))
      first!.bytes[at + 9]! ^= 1
      const report = await copyStore({ source: store.store, target: to.store }, ALL)
      expect(report.leftOut.map(({ market, date, why }) => [market, date, why])).toEqual([
        [TICKER, KEY.date, 'damaged'],
      ])
      expect(report.copied).toBe(6)
      await expectSound(to)
    } finally {
      await store.close()
    }
  })
})

test('a part that is missing in the source is named, and the rest is copied', async () => {
  const isGone = ({ key, kind }: PartRef) => Bun.deepEquals(key, KEY) && kind === 'block'
  const source = new TestStore(() => memoryStore({ isGone }))
  await withStoreOf('cluster', async (to) => {
    await load(source, lines(0, OTHER), lines(2, OTHER))
    await load(source, lines(0), lines(1))
    const report = await copyStore({ source: source.store, target: to.store }, ALL)
    expect(report.leftOut.map(({ market, date, why }) => [market, date, why])).toEqual([[TICKER, KEY.date, 'damaged']])
    expect(report.copied).toBe(3)
    await expectSound(to)
  })
  await source.close()
})

describe('any history', () => {
  const HISTORIES = 12
  test.each(Array.from({ length: HISTORIES }, (_, seed) => seed))('keeps both stores sound (seed %d)', (seed) =>
    withTwo(['memory', 'cluster'], async ({ from, to, copy }) => {
      const random = new Random(seed, 'copies')
      for (let step = 0; step < 12; step++) {
        const day = random.below(DATES.length)
        const kind = random.below(10)
        if (kind < 4) await load(from, lines(day, random.pick([TICKER, OTHER]), 1_000 * random.below(9)))
        else if (kind === 4) await deleteDays(to.store, 'kalshi', TICKER, DATES[day])
        else if (kind === 5) await deleteDays(from.store, 'kalshi', TICKER, DATES[day])
        else if (kind === 6) await load(to, lines(day, TICKER, 500))
        else if (kind === 7) await Promise.all([copy(), load(from, lines(day, TICKER, 1_000 * random.below(9)))])
        else await copy(random.chance(0.4) ? ALL : on(DATES[Math.min(day, 2)]!, DATES[day]))
        await expectSound(from)
        await expectSound(to)
      }
      const { leftOut } = await copy()
      const isRefused = (name: string) => leftOut.some(({ market, date }) => name === `kalshi ${market} ${date}`)
      from.store.refresh()
      to.store.refresh()
      for await (const { venue, market, date } of from.store.catalogue.partitions('kalshi')) {
        if (isRefused(`${venue} ${market} ${date}`)) continue
        expect(await to.records(venue, market, date)).toEqual(await from.records(venue, market, date))
      }
      await expectSound(to)
    }),
  )
})

test.each(['before', 'after'] as const)('killed at any call, %s it took effect', async (when) => {
  let calls = Number.POSITIVE_INFINITY
  for (let at = 1; at <= calls; at++) {
    await withTwo(['memory', 'cluster'], async ({ from, to, copy }) => {
      await fourDays(from)
      await copy(on(DATES[2]!))
      await load(from, lines(1, TICKER, 7_000))
      const kill = { at, when, calls: 0 }
      const { catalogue } = to.store
      const target: Store = { ...to.store, catalogue: killedAt(catalogue, kill) }
      const failure = await copyStore({ source: from.store, target }, ALL).catch((error: unknown) => error)
      if (kill.calls < at) calls = kill.calls
      else if (when === 'before') expect(failure).toBeInstanceOf(Killed)
      await expectSound(to)
      expect(await copy()).toMatchObject({ leftOut: [] })
      await expectSound(to)
      expect(await contents(to)).toEqual(await contents(from))
    })
  }
  expect(calls).toBeGreaterThan(15)
})
