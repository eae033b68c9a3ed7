// Merges lookup answers of a slug, so that a new answer never removes what was known.

import type { MarketMetadata, SlugAnswer } from './catalogue.ts'

/** Returns the answer to store in place of `stored`. It has the markets of both answers: an answer that comes from
 *  the metadata of one market names the event, but not the event's other markets. */
export function mergedAnswer(stored: SlugAnswer | undefined, received: SlugAnswer): SlugAnswer {
  if (stored === undefined) return received
  const find = ({ markets }: SlugAnswer, id: string) => markets.find(({ conditionId }) => conditionId === id)
  const isWhole = stored.markets.every(({ conditionId }) => find(received, conditionId) !== undefined)
  const markets = isWhole ? received.markets : [...stored.markets, ...received.markets]
  const ids = new Set(markets.map(({ conditionId }) => conditionId))
  return {
    event: mergedEvent(stored.event, received.event),
    markets: [...ids].map((id) => mergedMarket(find(stored, id), find(received, id))!),
  }
}

function mergedEvent(stored: SlugAnswer['event'], received: SlugAnswer['event']): SlugAnswer['event'] {
  if (stored === null || received === null) return received ?? stored
  return { slug: received.slug || stored.slug, title: received.title || stored.title }
}

function mergedMarket(stored: MarketMetadata | undefined, received: MarketMetadata | undefined) {
  if (stored === undefined || received === undefined) return received ?? stored
  return {
    question: received.question || stored.question,
    conditionId: received.conditionId,
    slug: received.slug || stored.slug,
    asset_ids: received.asset_ids.length > 0 ? received.asset_ids : stored.asset_ids,
    outcomes: received.outcomes.length > 0 ? received.outcomes : stored.outcomes,
  }
}
