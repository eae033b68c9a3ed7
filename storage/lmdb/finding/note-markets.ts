// Applies a commit to the search index: whether a market is found at all, and its newest date.

import type { Venue } from '../../venue.ts'
import type { Databases } from '../values/databases.ts'
import { IndexWriter } from './index-writer.ts'
import { cardsOf } from './stored-metadata.ts'

/** A market's last stored date before and after a commit; null if it has none. */
export type MarketDates = { venue: Venue; market: string; before: string | null; after: string | null }

/** Applies changes within a write transaction. */
export function noteMarkets(databases: Databases, markets: readonly MarketDates[]): void {
  const changed = markets.filter(({ before, after }) => before !== after)
  if (changed.length === 0) return
  const writer = new IndexWriter(databases)
  for (const { venue, market, after } of changed) {
    const cards = cardsOf(databases, venue, market)
    const isKnown = after !== null || cards.card !== undefined
    writer.change(venue, market, { before: cards, after: isKnown ? cards : null, lastDate: after })
  }
  writer.finish()
}
