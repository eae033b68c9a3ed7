// long: 12 scenes, each in four orders
// Stores of own recordings and two archives answer as the model of layers does, in whatever order sources are loaded,
// loaded again and deleted. So do their copies and exports.

import { expect, test } from 'bun:test'
import { copyMarket } from '../../../workers/copy/market-copy.ts'
import { orderSources } from '../../../workers/dates/order-sources.ts'
import { Random } from '../../../workers/synthetic/random.ts'
import { verifyStore } from '../../../workers/verify/verify-store.ts'
import { layeredScene } from '../../model/sources/scene.ts'
import { seeds } from '../../run/effort.ts'
import { type TestStore, withStore } from '../../support/store.ts'
import { expectAsModel, expectSourcesAlone, takeSteps } from './layered-store.ts'

async function expectSound({ store }: TestStore): Promise<void> {
  store.refresh()
  expect(await verifyStore(store)).toMatchObject({ damage: [], storeDamage: [] })
}

test.each(seeds(0, 12, 100))('a store with layers answers as the model does, seed %d', async (seed) => {
  const scene = layeredScene(seed)
  const random = new Random(seed, 'order of sources')
  for (const steps of scene.orders) {
    await withStore(async (store) => {
      await takeSteps(store, scene, steps, random.below(steps.length + 1))
      await expectAsModel(store, scene, seed)
      await expectSound(store)
    })
  }
})

test.each(seeds(0, 6, 60))('a source queried alone answers as a store that has only this source, seed %d', (seed) =>
  withStore(async (store) => {
    const scene = layeredScene(seed)
    await takeSteps(store, scene, scene.orders[1]!)
    await expectSourcesAlone(store, scene)
  }),
)

test.each(seeds(0, 6, 60))('a copy shows the same, whole or date by date, seed %d', (seed) =>
  withStore((source) =>
    withStore(async (target) => {
      const scene = layeredScene(seed)
      await takeSteps(source, scene, scene.orders[0]!)
      const dates = await source.dates(scene.venue, scene.market)
      const ranges =
        seed % 2 === 0 ? [{ from: '', to: '9999' }] : dates.toReversed().map((date) => ({ from: date, to: date }))
      for (const range of ranges) {
        const done = { copied: [], same: [], leftOut: [] }
        const stores = { source: source.store, target: target.store }
        await copyMarket(stores, { venue: scene.venue, market: scene.market }, range, done)
        expect(done.leftOut).toEqual([])
      }
      await orderSources(target.store, scene.sources ?? [])
      await expectAsModel(target, scene, seed)
      await expectSound(target)
    }),
  ),
)
