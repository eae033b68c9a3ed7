// Changes the operator's order of archives, and updates what the dates with several archives show.

import { sourcesOf } from '../../storage/format/head-layers.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { VENUES } from '../../storage/venue.ts'
import { changeMarket } from './change-market.ts'

/** Updates every date with several archives, unless the store already shows this order. After an interruption, the next
 *  call starts over. Throws DataError. */
export async function orderSources(store: Store, archives: readonly string[]): Promise<void> {
  const { catalogue } = store
  if (await hasOrder(store, archives)) return
  await catalogue.putSourceOrder({ archives, isShown: false })
  for (const venue of VENUES) {
    for await (const key of catalogue.partitions(venue)) {
      const head = await catalogue.head(key)
      if (head === undefined || sourcesOf(head).filter((source) => source !== null).length < 2) continue
      await showAgain(store, key)
    }
  }
  await catalogue.putSourceOrder({ archives, isShown: true })
  await store.flushed()
}

/** Returns whether dates show archives in this order. */
export async function hasOrder({ catalogue }: Store, archives: readonly string[]): Promise<boolean> {
  const order = await catalogue.sourceOrder()
  return order.isShown && Bun.deepEquals(order.archives, archives)
}

const showAgain = (store: Store, key: PartitionKey) =>
  changeMarket(store, key, async (plan) => ((await plan.showAgain(key)) ? [key] : []))
