// Which venue a market endpoint is of, and whether its answers count for the plan, told from its route.

import { MOUNTS, type VenueParameters } from '../http/parameters/venue-parameters.ts'
import { QUESTIONS } from './registry.ts'

export type MarketEndpoint = Readonly<{ parameters: VenueParameters; isBillable: boolean }>

const [polymarket] = MOUNTS
const known = new Map<string, MarketEndpoint>()

/** A route as it was registered: with or without a prefix, or an alias of Polymarket's. */
export function marketEndpoint(route: string): MarketEndpoint {
  let endpoint = known.get(route)
  if (!endpoint) {
    endpoint = toEndpoint(route)
    known.set(route, endpoint)
  }
  return endpoint
}

function toEndpoint(route: string): MarketEndpoint {
  const { parameters } = MOUNTS.find(({ path }) => route.includes(`${path}/market/`)) ?? polymarket
  const { isBillable = true } = QUESTIONS.find(({ path }) => route.endsWith(`/market/${path}`)) ?? {}
  return { parameters, isBillable }
}
