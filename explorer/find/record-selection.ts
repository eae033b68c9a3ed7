// Converts the watch list to the settings that select markets and events for the recorder.

import type { Coverage, MarketInfo } from '../data/answers.ts'
import { askJson, Failure } from '../data/ask.ts'
import { marketPath, marketQuery } from '../data/book-query.ts'
import { outcomesOf } from '../data/outcomes.ts'
import type { BookId } from '../state/view.ts'
import { SHOWN } from '../venues.ts'
import type { Listed } from './listed.ts'
import type { Selected } from './record-toml.ts'

/** Returns a selection for each item. Requests the slugs of markets with tokens, because slugs cannot be derived from
 *  the id. */
export const selectedOf = (items: readonly Listed[]): Promise<Selected[]> =>
  Promise.all(
    items.map(async (item): Promise<Selected> => {
      const { venue } = item
      if ('event' in item) return { venue, list: 'events', ids: [item.event] }
      const { hasAssets, listParameter, canonical } = SHOWN[venue]
      // The address may contain the id in another letter case.
      if (!hasAssets) return { venue, list: listParameter, ids: [canonical(item.market)] }
      return { venue, ...(await bySlug({ venue, market: item.market, asset: null })) }
    }),
  )

/** Selects a market by its slug, or by its asset ids if the market has no slug. */
async function bySlug(book: BookId): Promise<Omit<Selected, 'venue'>> {
  const about = <T>(path: string) => askJson<T>(marketPath(book, path), marketQuery(book))
  try {
    const info = await about<MarketInfo>('info')
    if (info.slug !== null) return { list: 'slugs', ids: [info.slug] }
    const outcomes = outcomesOf(book, info, await about<Coverage>('coverage'))
    return { list: 'asset_ids', ids: outcomes.flatMap(({ id }) => id ?? []) }
  } catch (error) {
    // The market was removed from the store.
    if (error instanceof Failure && error.status === 404) return { list: 'asset_ids', ids: [] }
    throw error
  }
}
