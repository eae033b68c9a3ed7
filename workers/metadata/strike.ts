// The value that decides a market, such as a price of gold: above it one outcome wins, below it the other.

import type { JsonObject } from '../../storage/finding/metadata.ts'
import type { Venue } from '../../storage/venue.ts'
import { isObject } from '../venues/described-message.ts'
import { knownText, numberOf } from '../venues/metadata-values.ts'

export type Strike = {
  /** In the unit of the market's subject; the lower end of a range. Null if the venue does not state it. */
  strike: number | null
  /** Kalshi's term for how the result follows from it; null for Polymarket. */
  strikeKind: string | null
}

/** Returns the strike of a market. Gamma states it in the event, and only after the event's window has ended. */
export function strikeOf(venue: Venue, market: JsonObject, event: JsonObject): Strike {
  if (venue === 'kalshi') {
    const strike = numberOf(market['floor_strike']) ?? numberOf(market['cap_strike'])
    return { strike, strikeKind: knownText(market['strike_type']) }
  }
  const metadata = event['eventMetadata']
  return { strike: isObject(metadata) ? numberOf(metadata['priceToBeat']) : null, strikeKind: null }
}
