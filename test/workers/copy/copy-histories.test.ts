// Goal: whatever happens to two stores, whoever is killed, and whatever is damaged: copies stay sound.

import { describe, expect, test } from 'bun:test'
import type { PartRef } from '../../../storage/block-store.ts'
import { clusterStore } from '../../../storage/cluster/cluster-store.ts'
import { memoryStore } from '../../../storage/memory/memory-store.ts'
import type { Store } from '../../../storage/open-store.ts'
import { copyStore } from '../../../workers/copy/copy-store.ts'
import { deleteDays } from '../../../workers/remove/delete-days.ts'
import { Random } from '../../../workers/synthetic/random.ts'
import { TICKER } from '../../model/lines.ts'
import { Killed, killedAt } from '../../support/cluster/killed-at.ts'
import { MemoryDatabase } from '../../support/cluster/memory-database.ts'
import { MemoryObjects } from '../../support/cluster/memory-objects.ts'
import { MemoryStates } from '../../support/copy/copied-states.ts'
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
} from '../../support/copy/two-stores.ts'
import { TestStore, withStoreOf } from '../../support/store.ts'

const KEY = { venue: 'kalshi', market: TICKER, date: '2026-08-11' } as const

test('a part that is damaged in the source is named, and the rest is copied', () => {
  const objects = new MemoryObjects()
  return withStoreOf('lmdb', async (to) => {
    const store = new TestStore<Store>(() => clusterStore({ objects, database: new MemoryDatabase() }))
    try {
      await fourDays(store)
      const [first] = [...objects.stored.values()]
      const block = await store.store.blocks.fetch([{ key: KEY, kind: 'block', id: 1, book: 0 }])
      const at = Buffer.from(first!.bytes).indexOf(block.bytes(KEY, { kind: 'block', id: 1, book: 0 }).subarray(8))
      first!.bytes[at + 9]! ^= 1
      const report = await copyStore({ source: store.store, target: to.store, states: new MemoryStates() }, ALL)
      expect(report.refused.map(({ market, date, why }) => [market, date, why])).toEqual([
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
    const report = await copyStore({ source: source.store, target: to.store, states: new MemoryStates() }, ALL)
    expect(report.refused.map(({ market, date, why }) => [market, date, why])).toEqual([[TICKER, KEY.date, 'damaged']])
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
        else await copy(random.chance(0.4) ? ALL : on(DATES[Math.min(day, 2)]!, DATES[day]))
        await expectSound(from)
        await expectSound(to)
      }
      const { refused } = await copy()
      const isRefused = (name: string) => refused.some(({ market, date }) => name === `kalshi ${market} ${date}`)
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
    await withTwo(['memory', 'cluster'], async ({ from, to, states, copy }) => {
      await fourDays(from)
      await copy(on(DATES[2]!))
      await load(from, lines(1, TICKER, 7_000))
      const kill = { at, when, calls: 0 }
      const { catalogue } = to.store
      const target: Store = { ...to.store, catalogue: killedAt(catalogue, kill) }
      const failure = await copyStore({ source: from.store, target, states }, ALL).catch((error: unknown) => error)
      if (kill.calls < at) calls = kill.calls
      else if (when === 'before') expect(failure).toBeInstanceOf(Killed)
      await expectSound(to)
      expect(await copy()).toMatchObject({ refused: [] })
      await expectSound(to)
      expect(await contents(to)).toEqual(await contents(from))
    })
  }
  expect(calls).toBeGreaterThan(15)
})
