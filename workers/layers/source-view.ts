// A view of a store for one source. It returns the heads and books of the source's layers instead of the heads and
// books that the dates show.

import { createHmac } from 'node:crypto'
import type { BlockStore } from '../../storage/block-store.ts'
import type { Catalogue, MarketEntry } from '../../storage/catalogue.ts'
import { headOfSource, type Source } from '../../storage/format/head-layers.ts'
import type { Store } from '../../storage/open-store.ts'
import type { Venue } from '../../storage/venue.ts'
import { booksOfSource } from './layer.ts'

/** Returns the store for a request: the view of the source that the request names, or the store itself. */
export function storeOfRequest(store: Store, request: unknown): Store {
  const { source } = request as { source?: Source }
  return source === undefined ? store : storeOfSource(store, source)
}

export const storeOfSource = (store: Store, source: Source): Store =>
  instead(store, {
    catalogue: catalogueOfSource(store.catalogue, source),
    blocks: blocksOfSource(store.blocks, source),
  })

/** Returns a catalogue with the source's markets only. The cursors of a source are invalid for any other source. */
export function catalogueOfSource(catalogue: Catalogue, source: Source): Catalogue {
  const heads: Catalogue['heads'] = async (...args) => {
    const days = await catalogue.heads(...args)
    return days.flatMap(({ date, head }) => {
      const layer = headOfSource(head, source)
      return layer === undefined ? [] : [{ date, head: layer }]
    })
  }
  const neighbour: Catalogue['neighbour'] = async (key, direction) => {
    let day = await catalogue.neighbour(key, direction)
    while (day !== undefined) {
      const head = headOfSource(day.head, source)
      if (head !== undefined) return { date: day.date, head }
      day = await catalogue.neighbour({ ...key, date: day.date }, direction)
    }
    return undefined
  }
  const entryOf = async (venue: Venue, market: string, entry: MarketEntry | undefined) => {
    const days = entry === undefined ? [] : await heads(venue, market)
    if (entry === undefined || days.length === 0) return undefined
    const recordCount = days.reduce((sum, { head }) => sum + head.recordCount, 0)
    return { ...entry, firstDate: days[0]!.date, lastDate: days.at(-1)!.date, dateCount: days.length, recordCount }
  }
  return instead(catalogue, {
    heads,
    neighbour,
    async head(key) {
      const head = await catalogue.head(key)
      return head && headOfSource(head, source)
    },
    market: async (venue, market) => entryOf(venue, market, await catalogue.market(venue, market)),
    async foundMarkets(venue, markets) {
      const found = await catalogue.foundMarkets(venue, markets)
      return Promise.all(found.map(async (each) => ({ ...each, entry: await entryOf(venue, each.market, each.entry) })))
    },
    /** Covers the dates up to the next date of the source, since dates of other sources may be stored in between. */
    async stamp(venue, market, range) {
      const next = await neighbour({ venue, market, date: range.to }, 'after')
      return catalogue.stamp(venue, market, { ...range, to: next?.date ?? range.to })
    },
    audits: async (venue, market) => (source === null ? catalogue.audits(venue, market) : []),
    async cursorSecret() {
      const secret = await catalogue.cursorSecret()
      return createHmac('sha256', secret)
        .update(JSON.stringify(['source', source]))
        .digest()
    },
  })
}

const blocksOfSource = (blocks: BlockStore, source: Source): BlockStore => ({
  async fetch(parts) {
    const fetched = await blocks.fetch(parts)
    return instead(fetched, { books: (key) => booksOfSource(fetched.books(key), source) })
  },
})

/** Returns a proxy of the object with the properties of `others` in place of its own. The methods of the object run on
 *  the object itself. */
function instead<T extends object>(object: T, others: Partial<T>): T {
  return new Proxy(object, {
    get(target, name) {
      if (Object.hasOwn(others, name)) return others[name as keyof T]
      const value = target[name as keyof T]
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
