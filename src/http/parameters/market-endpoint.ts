// Which venue a market endpoint is of, and whether its answers count for the plan, told from its route.

import { MOUNTS, type VenueParameters } from './venue-parameters.ts'

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
  // Coverage is ours and free: it says what a call would get.
  return { parameters, isBillable: !route.endsWith('/coverage') }
}
