// What a venue says of a market, in the same words for both. Null for what it does not say.

import type { JsonObject } from '../../storage/finding/metadata.ts'
import type { Venue } from '../../storage/venue.ts'
import { isObject } from '../venues/described-message.ts'
import { knownText, numberOf, textsOf, timeMsOf } from '../venues/metadata-values.ts'
import { type Strike, strikeOf } from './strike.ts'

/** Dollars, from and up to. */
export type PriceRange = { start: number; end: number; step: number }

export type MarketFacts = Strike & {
  opensMs: number | null
  closesMs: number | null
  settledMs: number | null
  status: string | null
  /** The outcome that won; `split` where none won alone. */
  result: string | null
  /** Dollars that a contract of the first outcome paid, which is YES on Kalshi. */
  settlementValue: number | null
  /** Dollars; null where it differs by price. */
  tickSize: number | null
  priceRanges: PriceRange[] | null
  rules: string | null
}

/** `event` is what the venue says of the market's event. */
export const marketFacts = (venue: Venue, said: JsonObject, event: JsonObject = {}): MarketFacts => ({
  ...(venue === 'kalshi' ? kalshiFacts(said) : gammaFacts(said)),
  ...strikeOf(venue, said, event),
})

function kalshiFacts(said: JsonObject): Omit<MarketFacts, keyof Strike> {
  const ranges = Array.isArray(said['price_ranges']) ? said['price_ranges'].filter(isObject).map(rangeOf) : []
  const priceRanges = ranges.every((range) => range !== null) ? ranges : []
  const steps = new Set(priceRanges.map(({ step }) => step))
  const result = knownText(said['result'])
  return {
    opensMs: timeMsOf(said['open_time']),
    closesMs: timeMsOf(said['close_time']),
    settledMs: timeMsOf(said['settlement_ts']),
    status: knownText(said['status']),
    result: result === KALSHI_SPLIT ? SPLIT : result,
    settlementValue: result === null ? null : numberOf(said['settlement_value_dollars']),
    tickSize: steps.size === 1 ? [...steps][0]! : null,
    priceRanges: priceRanges.length === 0 ? null : priceRanges,
    rules: joined(said['rules_primary'], said['rules_secondary']),
  }
}

const SPLIT = 'split'
const KALSHI_SPLIT = 'scalar'

function rangeOf({ start, end, step }: JsonObject): PriceRange | null {
  const [from, to, by] = [start, end, step].map(numberOf)
  return from == null || to == null || by == null ? null : { start: from, end: to, step: by }
}

function gammaFacts(said: JsonObject): Omit<MarketFacts, keyof Strike> {
  return {
    opensMs: timeMsOf(said['startDate']),
    closesMs: timeMsOf(said['endDate']),
    settledMs: timeMsOf(said['closedTime']),
    status: gammaStatus(said),
    ...gammaResult(said),
    tickSize: numberOf(said['orderPriceMinTickSize']),
    priceRanges: null,
    rules: joined(said['description'], said['resolutionSource']),
  }
}

function gammaStatus({ closed, archived, active, umaResolutionStatus }: JsonObject): string | null {
  if (closed === true) return umaResolutionStatus === 'resolved' ? 'resolved' : 'closed'
  if (archived === true) return 'archived'
  return typeof active === 'boolean' ? (active ? 'active' : 'inactive') : null
}

/** Prices are those of settlement once a market is closed: one outcome has a dollar, or all have the same. */
function gammaResult(said: JsonObject): Pick<MarketFacts, 'result' | 'settlementValue'> {
  const prices = said['closed'] === true ? textsOf(said['outcomePrices']).map(Number) : []
  const winner = prices.indexOf(1)
  const isWon = winner >= 0 && prices.every((price, i) => price === (i === winner ? 1 : 0))
  const isSplit = prices.length > 1 && prices.every((price) => price === 1 / prices.length)
  if (!isWon && !isSplit) return { result: null, settlementValue: null }
  const result = isWon ? (textsOf(said['outcomes'])[winner] ?? null) : SPLIT
  return { result, settlementValue: prices[0]! }
}

function joined(...texts: unknown[]): string | null {
  const known = texts.map(knownText).filter((text) => text !== null)
  return known.length === 0 ? null : known.join('\n\n')
}
