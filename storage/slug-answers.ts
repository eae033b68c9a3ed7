// What a slug is answered with, when more is said of it: nothing that was known gets lost.

import type { MarketMetadata, SlugAnswer } from './catalogue.ts'

/** The answer to keep where `stored` is kept already. Of an event, markets that only one of them names are kept too: a
 *  market's own metadata names its event, but none of the event's other markets. */
export function mergedAnswer(stored: SlugAnswer | undefined, said: SlugAnswer): SlugAnswer {
  if (stored === undefined) return said
  const find = ({ markets }: SlugAnswer, id: string) => markets.find(({ conditionId }) => conditionId === id)
  const isWhole = stored.markets.every(({ conditionId }) => find(said, conditionId) !== undefined)
  const markets = isWhole ? said.markets : [...stored.markets, ...said.markets]
  const ids = new Set(markets.map(({ conditionId }) => conditionId))
  return {
    event: mergedEvent(stored.event, said.event),
    markets: [...ids].map((id) => mergedMarket(find(stored, id), find(said, id))!),
  }
}

function mergedEvent(stored: SlugAnswer['event'], said: SlugAnswer['event']): SlugAnswer['event'] {
  if (stored === null || said === null) return said ?? stored
  return { slug: said.slug || stored.slug, title: said.title || stored.title }
}

function mergedMarket(stored: MarketMetadata | undefined, said: MarketMetadata | undefined) {
  if (stored === undefined || said === undefined) return said ?? stored
  return {
    question: said.question || stored.question,
    conditionId: said.conditionId,
    slug: said.slug || stored.slug,
    asset_ids: said.asset_ids.length > 0 ? said.asset_ids : stored.asset_ids,
    outcomes: said.outcomes.length > 0 ? said.outcomes : stored.outcomes,
  }
}
