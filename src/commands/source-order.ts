// Applies the configured order of archives to a store.

import { hasOrder, orderSources } from '../../workers/dates/order-sources.ts'
import type { Config } from '../config/config.ts'
import { placeOf, withStoreAt } from './store-place.ts'
import { terminal } from './terminal/terminal.ts'

/** Applies the configured order. Opens the store for writing only if the store has another order. Rejects with
 *  DataError. */
export async function applySourceOrder(config: Config): Promise<void> {
  const { sources } = config
  if (sources === null) return
  const place = placeOf(config)
  if (await withStoreAt(place, { mayWrite: false }, (store) => hasOrder(store, sources))) return
  await withStoreAt(place, { mayWrite: true }, (store) => orderSources(store, sources))
  const order = sources.length === 0 ? 'by agreement' : sources.join(', ')
  terminal().stderr.write(`dates show archives in the order of sources: ${order}\n`)
}
