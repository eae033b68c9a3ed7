// The facts that Gamma states about a market.

import { isObject, type JsonObject } from '../described-message.ts'
import { joined, type MarketFacts, SPLIT } from '../market-facts.ts'
import { numberOf, textsOf, timeMsOf } from '../metadata-values.ts'

/** Returns the facts of a market. Gamma states the strike in the event, and only after the event's window has ended. */
export function gammaFacts(metadata: JsonObject, { eventMetadata }: JsonObject = {}): MarketFacts {
  return {
    opensMs: timeMsOf(metadata['startDate']),
    closesMs: timeMsOf(metadata['endDate']),
    settledMs: timeMsOf(metadata['closedTime']),
    status: gammaStatus(metadata),
    ...gammaResult(metadata),
    tickSize: numberOf(metadata['orderPriceMinTickSize']),
    priceRanges: null,
    rules: joined(metadata['description'], metadata['resolutionSource']),
    strike: isObject(eventMetadata) ? numberOf(eventMetadata['priceToBeat']) : null,
    strikeKind: null,
  }
}

function gammaStatus({ closed, archived, active, umaResolutionStatus }: JsonObject): string | null {
  if (closed === true) return umaResolutionStatus === 'resolved' ? 'resolved' : 'closed'
  if (archived === true) return 'archived'
  return typeof active === 'boolean' ? (active ? 'active' : 'inactive') : null
}

/** Returns the result of a market; only a closed market has one. The prices of a closed market are settlement prices:
 *  one outcome is worth a dollar, or all are worth the same. */
function gammaResult(metadata: JsonObject): Pick<MarketFacts, 'result' | 'settlementValue'> {
  const prices = metadata['closed'] === true ? textsOf(metadata['outcomePrices']).map(Number) : []
  const winner = prices.indexOf(1)
  const isWon = winner >= 0 && prices.every((price, i) => price === (i === winner ? 1 : 0))
  const isSplit = prices.length > 1 && prices.every((price) => price === 1 / prices.length)
  if (!isWon && !isSplit) return { result: null, settlementValue: null }
  const result = isWon ? (textsOf(metadata['outcomes'])[winner] ?? null) : SPLIT
  return { result, settlementValue: prices[0]! }
}
