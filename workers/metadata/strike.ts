// The value that decides a market, such as a price of gold: above it one outcome wins, below it the other.

import type { JsonObject } from '../../storage/finding/metadata.ts'
import type { Venue } from '../../storage/venue.ts'
import { isObject } from '../venues/described-message.ts'
import { knownText, numberOf } from '../venues/metadata-values.ts'

export type Strike = {
  /** In the unit of what the market is about; the lower end of a range. Null where the venue does not say it. */
  strike: number | null
  /** Kalshi's word for how the result follows from it. Polymarket has none. */
  strikeKind: string | null
}

/** Gamma says it of the event, and only after its window has ended. */
export function strikeOf(venue: Venue, market: JsonObject, event: JsonObject): Strike {
  if (venue === 'kalshi') {
    const strike = numberOf(market['floor_strike']) ?? numberOf(market['cap_strike'])
    return { strike, strikeKind: knownText(market['strike_type']) }
  }
  const metadata = event['eventMetadata']
  return { strike: isObject(metadata) ? numberOf(metadata['priceToBeat']) : null, strikeKind: null }
}
