// Goal: the index finds the same as a scan of everything, whatever is stored and removed, in any order.

import { describe, expect, test } from 'bun:test'
import type { Metadata } from '../../storage/finding/metadata.ts'
import { seeds } from '../run/effort.ts'
import { everything, RandomChanges } from '../support/finding/random-changes.ts'
import { searchDamageIn } from '../support/finding/search-damage.ts'
import { memoryStore } from '../support/memory-store/memory-store.ts'
import { type TestStore, withStore } from '../support/store.ts'

const damageOf = async (store: TestStore): Promise<string[]> => [
  ...(await store.store.maintenance.valueDamage()),
  ...(await searchDamageIn(store.folder)),
]

const titled = (market: string, title: string): Metadata => {
  const card = { title, subtitle: null, slug: null, event: 'EVENT', outcomes: [] }
  return { markets: [{ venue: 'kalshi', market, card, said: {}, saidMs: null }], events: [] }
}

describe('finding', () => {
  test('works with more markets than fit in a part of the index', () =>
    withStore(async (store) => {
      const { catalogue } = store.store
      const name = (number: number) => `KX-${String(number).padStart(4, '0')}`
      const markets = Array.from({ length: 1_400 }, (_, number) => titled(name(number), 'Common words').markets).flat()
      await catalogue.putMetadata({ markets, events: [] }, 1)
      store.store.refresh()
      const found = async (text: string, limit = 100) =>
        (await catalogue.search({ text, venue: undefined, limit })).map(({ market }) => market)
      expect(await found('comm wor', 2)).toEqual([name(1_399), name(1_398)])
      expect(await found('common 0007')).toEqual([name(7)])
      expect((await catalogue.event('kalshi', 'EVENT'))!.markets).toHaveLength(1_400)
      // Markets with postings in each of the parts.
      for (const number of [3, 600, 1_200, 1_399]) {
        await catalogue.putMetadata(titled(name(number), 'Rare words'), 2)
        expect(await found(`common ${String(number).padStart(4, '0')}`)).toEqual([])
      }
      store.store.refresh()
      expect(await found('rare')).toEqual([name(1_399), name(1_200), name(600), name(3)])
      expect(await damageOf(store)).toEqual([])
    }))

  test.each(seeds(1, 1, 8))('finds the same as a scan of everything, seed %d', (seed) =>
    withStore(async (store) => {
      const memory = memoryStore()
      const randomChanges = new RandomChanges(seed, [memory, store.store])
      for (let count = 0; count < 100; count++) {
        await randomChanges.next()
        if (count % 10 !== 9) continue
        store.store.refresh()
        expect(await everything(store.store)).toEqual((await everything(memory)) as object)
        expect(await damageOf(store)).toEqual([])
      }
    }),
  )
})
