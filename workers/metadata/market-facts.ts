// Facts about a market from its venue's metadata, with the same names for both venues. Null if the venue does not state
// a fact.

import type { JsonObject } from '../../storage/finding/metadata.ts'
import type { Venue } from '../../storage/venue.ts'
import { isObject } from '../venues/described-message.ts'
import { knownText, numberOf, textsOf, timeMsOf } from '../venues/metadata-values.ts'
import { type Strike, strikeOf } from './strike.ts'

/** A price range and its tick size, in dollars. */
export type PriceRange = { start: number; end: number; step: number }

export type MarketFacts = Strike & {
  opensMs: number | null
  closesMs: number | null
  settledMs: number | null
  status: string | null
  /** The outcome that won; `split` if no single outcome did. */
  result: string | null
  /** Dollars paid for a contract of the first outcome, which is YES on Kalshi. */
  settlementValue: number | null
  /** Dollars; null if it depends on the price. */
  tickSize: number | null
  priceRanges: PriceRange[] | null
  rules: string | null
}

/** Returns the facts of a market. `event` is the venue's metadata of the market's event. */
export const marketFacts = (venue: Venue, metadata: JsonObject, event: JsonObject = {}): MarketFacts => ({
  ...(venue === 'kalshi' ? kalshiFacts(metadata) : gammaFacts(metadata)),
  ...strikeOf(venue, metadata, event),
})

function kalshiFacts(metadata: JsonObject): Omit<MarketFacts, keyof Strike> {
  const ranges = Array.isArray(metadata['price_ranges']) ? metadata['price_ranges'].filter(isObject).map(rangeOf) : []
  const priceRanges = ranges.every((range) => range !== null) ? ranges : []
  const steps = new Set(priceRanges.map(({ step }) => step))
  const result = knownText(metadata['result'])
  return {
    opensMs: timeMsOf(metadata['open_time']),
    closesMs: timeMsOf(metadata['close_time']),
    settledMs: timeMsOf(metadata['settlement_ts']),
    status: knownText(metadata['status']),
    result: result === KALSHI_SPLIT ? SPLIT : result,
    settlementValue: result === null ? null : numberOf(metadata['settlement_value_dollars']),
    tickSize: steps.size === 1 ? [...steps][0]! : null,
    priceRanges: priceRanges.length === 0 ? null : priceRanges,
    rules: joined(metadata['rules_primary'], metadata['rules_secondary']),
  }
}

const SPLIT = 'split'
const KALSHI_SPLIT = 'scalar'

function rangeOf({ start, end, step }: JsonObject): PriceRange | null {
  const [from, to, by] = [start, end, step].map(numberOf)
  return from == null || to == null || by == null ? null : { start: from, end: to, step: by }
}

function gammaFacts(metadata: JsonObject): Omit<MarketFacts, keyof Strike> {
  return {
    opensMs: timeMsOf(metadata['startDate']),
    closesMs: timeMsOf(metadata['endDate']),
    settledMs: timeMsOf(metadata['closedTime']),
    status: gammaStatus(metadata),
    ...gammaResult(metadata),
    tickSize: numberOf(metadata['orderPriceMinTickSize']),
    priceRanges: null,
    rules: joined(metadata['description'], metadata['resolutionSource']),
  }
}

function gammaStatus({ closed, archived, active, umaResolutionStatus }: JsonObject): string | null {
  if (closed === true) return umaResolutionStatus === 'resolved' ? 'resolved' : 'closed'
  if (archived === true) return 'archived'
  return typeof active === 'boolean' ? (active ? 'active' : 'inactive') : null
}

/** Returns the result of a closed market. Its prices are then those of settlement: one outcome is worth a dollar, or
 *  all are worth the same. */
function gammaResult(metadata: JsonObject): Pick<MarketFacts, 'result' | 'settlementValue'> {
  const prices = metadata['closed'] === true ? textsOf(metadata['outcomePrices']).map(Number) : []
  const winner = prices.indexOf(1)
  const isWon = winner >= 0 && prices.every((price, i) => price === (i === winner ? 1 : 0))
  const isSplit = prices.length > 1 && prices.every((price) => price === 1 / prices.length)
  if (!isWon && !isSplit) return { result: null, settlementValue: null }
  const result = isWon ? (textsOf(metadata['outcomes'])[winner] ?? null) : SPLIT
  return { result, settlementValue: prices[0]! }
}

function joined(...texts: unknown[]): string | null {
  const known = texts.map(knownText).filter((text) => text !== null)
  return known.length === 0 ? null : known.join('\n\n')
}
