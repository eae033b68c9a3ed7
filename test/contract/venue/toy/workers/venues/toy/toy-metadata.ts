// Reads the documents of the made-up venue. Each contract has one document.

import type { Metadata } from '../../../storage/finding/metadata.ts'
import type { JsonObject } from '../described-message.ts'
import { joined, type MarketFacts } from '../market-facts.ts'
import { knownText, numberOf } from '../metadata-values.ts'

export const isToyDocument = ({ contract, asks_whether: question }: JsonObject): boolean =>
  typeof contract === 'string' && typeof question === 'string'

export function toyMetadata(said: JsonObject): Metadata {
  const { contract, asks_whether: question, group } = said
  const card = {
    title: knownText(question),
    subtitle: null,
    slug: null,
    event: knownText(group),
    outcomes: ['Yes', 'No'].map((outcome) => ({ outcome, title: null, asset_id: null })),
  }
  return { markets: [{ venue: 'toy', market: String(contract), card, said, saidMs: null }], events: [] }
}

export const toyFacts = (said: JsonObject): MarketFacts => ({
  opensMs: numberOf(said['opens']),
  closesMs: numberOf(said['closes']),
  ...{ settledMs: null, status: null, result: null, settlementValue: null, priceRanges: null },
  tickSize: numberOf(said['step']),
  rules: joined(said['rules']),
  ...{ strike: null, strikeKind: null },
})
