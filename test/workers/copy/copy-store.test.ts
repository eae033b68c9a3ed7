// Goal: what is copied is the same, byte for byte, sound by itself, and stays so when it is copied again after either
// store has changed; whoever is killed has lost nothing, and nobody's own records are replaced.

import { describe, expect, test } from 'bun:test'
import { deleteDays } from '../../../workers/remove/delete-days.ts'
import { TICKER } from '../../model/lines.ts'
import {
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
import type { AnyStore, StoreKind } from '../../support/store.ts'

const PAIRS: [StoreKind, StoreKind][] = [
  ['lmdb', 'cluster'],
  ['cluster', 'lmdb'],
]

describe.each(PAIRS)('from %s to %s', (...kinds) => {
  test('all of a store, once', () =>
    withTwo(kinds, async ({ from, to, copy }) => {
      await fourDays(from)
      expect(await copy()).toMatchObject({ markets: 3, copied: 7, same: 0, refused: [] })
      expect(await contents(to)).toEqual(await contents(from))
      await expectSound(to)
      const revision = await to.store.catalogue.revision('kalshi', TICKER)
      expect(await copy()).toMatchObject({ markets: 3, copied: 0, same: 7, refused: [] })
      expect(await to.store.catalogue.revision('kalshi', TICKER)).toEqual(revision)
    }))

  test('a day without the one before: it starts from the same books, then and later', () =>
    withTwo(kinds, async ({ from, to, copy }) => {
      await fourDays(from)
      await copy(on(DATES[2]!))
      expect(await contents(to)).toEqual(await contents(from, [DATES[2]!]))
      await expectSound(to)
      // What is loaded into it goes on from those books as well.
      const more = lines(2, TICKER, 10_000)
      await load(to, more)
      await load(from, more)
      await expectSound(to)
      expect(await to.records('kalshi', TICKER, DATES[2]!)).toEqual(await from.records('kalshi', TICKER, DATES[2]!))
      expect(await copy(on(DATES[2]!))).toMatchObject({ same: 2, refused: [] })
      // The day before, which it starts from now.
      await copy(on(DATES[1]!))
      await expectSound(to)
      await copy()
      await expectSound(to)
      expect(await contents(to)).toEqual(await contents(from))
    }))

  test('what has changed in the source is replaced, what is the same stays', () =>
    withTwo(kinds, async ({ from, to, copy }) => {
      await fourDays(from)
      await copy(on(DATES[1]!, DATES[3]))
      await load(from, lines(1, TICKER, 7_000))
      const report = await copy(on(DATES[1]!, DATES[3]))
      expect(report).toMatchObject({ copied: 3, same: 1, refused: [] })
      await expectSound(to)
      expect(await contents(to)).toEqual(await contents(from, DATES.slice(1)))
    }))

  test('a day that follows from a copied one is still a copy', () =>
    withTwo(kinds, async ({ from, to, copy }) => {
      await fourDays(from)
      await copy()
      await load(from, lines(1, TICKER, 7_000))
      expect(await copy(on(DATES[1]!))).toMatchObject({ copied: 1, refused: [] })
      await expectSound(to)
      expect(await copy()).toMatchObject({ refused: [] })
      await expectSound(to)
      const recordsOf = (store: AnyStore) => Promise.all(DATES.map((date) => store.records('kalshi', TICKER, date)))
      expect(await recordsOf(to)).toEqual(await recordsOf(from))
      expect(await copy()).toMatchObject({ copied: 0, refused: [] })
    }))

  test('records of somebody else are refused, and the rest goes on', () =>
    withTwo(kinds, async ({ from, to, copy }) => {
      await fourDays(from)
      await load(to, lines(1, TICKER, 5_000))
      const own = await contents(to)
      const { refused, copied } = await copy()
      // The last day brings the books of the one that was refused.
      expect(copied).toBe(5)
      expect(refused.map(({ date, why }) => [date, why])).toEqual([
        [DATES[1]!, 'other_records'],
        [DATES[2]!, 'follows_others'],
      ])
      expect(refused[0]!.what).toContain('ingest')
      await expectSound(to)
      const recordsBefore = Object.keys(own)
      expect(Object.keys(await contents(to))).toEqual(expect.arrayContaining(recordsBefore))
      expect(await to.records('kalshi', TICKER, DATES[1]!)).toHaveLength(4)
    }))

  test('what the target has added to a copy is its own from then on', () =>
    withTwo(kinds, async ({ from, to, copy }) => {
      await fourDays(from)
      await copy()
      await load(to, lines(2, OTHER, 5_000))
      await load(from, lines(2, OTHER, 6_000))
      expect((await copy()).refused).toMatchObject([{ market: OTHER, date: DATES[2]!, why: 'other_records' }])
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
      expect(await copy()).toMatchObject({ refused: [] })
      await expectSound(to)
      to.store.refresh()
      const head = (await to.store.catalogue.head(key))!
      expect(head.blocks[0]!.id).toBeGreaterThanOrEqual(before.nextId)
      expect(head.revision).toBeGreaterThan(before.revision)
      expect(await to.records('kalshi', TICKER, DATES[1]!)).toEqual(await from.records('kalshi', TICKER, DATES[1]!))
      expect(await copy()).toMatchObject({ copied: 0, refused: [] })
      await load(from, lines(1, TICKER, 7_000))
      expect(await copy()).toMatchObject({ refused: [] })
      await expectSound(to)
      expect(await to.records('kalshi', TICKER, DATES[1]!)).toEqual(await from.records('kalshi', TICKER, DATES[1]!))
    }))
})
