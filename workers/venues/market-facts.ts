// Facts about a market, with the same names for all venues. Null if the venue does not state a fact.

import { knownText } from './metadata-values.ts'

/** A price range and its tick size, in dollars. */
export type PriceRange = { start: number; end: number; step: number }

export type MarketFacts = {
  opensMs: number | null
  closesMs: number | null
  settledMs: number | null
  status: string | null
  /** The outcome that won; `split` if no single outcome did. */
  result: string | null
  /** Dollars paid for a contract of the first outcome, which is YES on Kalshi. */
  settlementValue: number | null
  /** Tick size in dollars; null if it depends on the price. */
  tickSize: number | null
  priceRanges: PriceRange[] | null
  rules: string | null
  /** The value that decides the market, such as a price of gold: above it one outcome wins, below it the other. The
   *  value is in the unit of the market's subject. If the market is decided by a range, this is the lower end. Null if
   *  the venue does not state it. */
  strike: number | null
  /** The venue's term for how the result follows from the strike; null if it has none. */
  strikeKind: string | null
}

/** The result of a market that no single outcome won. */
export const SPLIT = 'split'

/** Joins the known texts about the rules of a market; null if none is known. */
export function joined(...texts: unknown[]): string | null {
  const known = texts.map(knownText).filter((text) => text !== null)
  return known.length === 0 ? null : known.join('\n\n')
}
