// The facts that Kalshi's metadata states about a market.

import { isObject, type JsonObject } from '../described-message.ts'
import { joined, type MarketFacts, type PriceRange, SPLIT } from '../market-facts.ts'
import { knownText, numberOf, timeMsOf } from '../metadata-values.ts'

const KALSHI_SPLIT = 'scalar'

export function kalshiFacts(metadata: JsonObject): MarketFacts {
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
    strike: numberOf(metadata['floor_strike']) ?? numberOf(metadata['cap_strike']),
    strikeKind: knownText(metadata['strike_type']),
  }
}

function rangeOf({ start, end, step }: JsonObject): PriceRange | null {
  const [from, to, by] = [start, end, step].map(numberOf)
  return from == null || to == null || by == null ? null : { start: from, end: to, step: by }
}
