// Applies the configured order of archives to a store.

import { openStoreAt, type Store } from '../../storage/open-store.ts'
import { hasOrder, orderSources } from '../../workers/dates/order-sources.ts'
import type { Config } from '../config/config.ts'
import { placeOf } from './store-place.ts'
import { terminal } from './terminal/terminal.ts'

/** Opens the store for writing only if its order differs. Rejects with DataError. */
export async function applySourceOrder(config: Config): Promise<void> {
  const { sources } = config
  if (sources === null || (await inStore(config, false, (store) => hasOrder(store, sources)))) return
  await inStore(config, true, (store) => orderSources(store, sources))
  const order = sources.length === 0 ? 'by agreement' : sources.join(', ')
  terminal().stderr.write(`dates show archives in the order of sources: ${order}\n`)
}

async function inStore<T>(config: Config, mayWrite: boolean, run: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStoreAt(placeOf(config), { mayWrite })
  try {
    return await run(store)
  } finally {
    await store.close()
  }
}
