// The parts of a venue's configuration that both venues build in the same way.

import type { Static } from '@sinclair/typebox'
import { ConfigError } from '../../config/config-error.ts'
import { type KalshiSelection, type PolymarketSelection, type RestConfig, selectsByDiscovery } from './record-config.ts'
import type { SECTIONS } from './record-settings.ts'

type Selecting = {
  selection: KalshiSelection | PolymarketSelection
  /** Tokens or tickers that need no discovery. */
  named: readonly string[]
  /** The server that finds the other markets; null if there is none. */
  finder: RestConfig | null
  /** Parts of error messages: the settings that select, and what to do without a finder. */
  keys: string
  repair: string
}

/** Throws ConfigError if a section selects nothing, or selects markets that no server can find. */
export function assertSelects(section: string, { selection, named, finder, keys, repair }: Selecting): void {
  const isFound = selectsByDiscovery(selection)
  if (!isFound && named.length === 0) {
    throw new ConfigError(`[${section}] selects no market: set ${keys}, or all = true`)
  }
  if (isFound && finder === null) throw new ConfigError(`[${section}] selects markets that ${repair}`)
}

type ConnectionValues = Static<(typeof SECTIONS)['kalshi' | 'polymarket']>

export const connectionConfig = (values: ConnectionValues) => ({
  wsUrl: values.ws_url,
  perConnection: values.per_connection,
  connectionsMax: values.connections_max,
  auditsPerSecond: values.audits_per_second,
})

const REST_LIMITS = { timeoutMs: 10_000, attempts: 6, bodyBytesMax: 32 * 2 ** 20 }

/** Returns null for an empty address. */
export function restConfig(address: string | null, requestsPerSecond: number): RestConfig | null {
  const url = (address ?? '').replace(/\/+$/, '')
  return url === '' ? null : { url, requestsPerSecond, ...REST_LIMITS }
}
