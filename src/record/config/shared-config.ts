// What the configurations of both venues are made of in the same way.

import { ConfigError } from '../../config/config-error.ts'
import {
  type ConnectionConfig,
  type KalshiSelection,
  type PolymarketSelection,
  type RestConfig,
  selectsByDiscovery,
} from './record-config.ts'

type Selecting = {
  selection: KalshiSelection | PolymarketSelection
  /** What needs no discovery. */
  named: readonly string[]
  /** Who is asked for the rest; null for nobody. */
  finder: RestConfig | null
  /** Those that select, and what is to be done without a finder: words of messages. */
  keys: string
  repair: string
}

/** Throws ConfigError where a section selects nothing, or what nobody can find. */
export function assertSelects(section: string, { selection, named, finder, keys, repair }: Selecting): void {
  const isFound = selectsByDiscovery(selection)
  if (!isFound && named.length === 0) {
    throw new ConfigError(`[${section}] selects no market: set ${keys}, or all = true`)
  }
  if (isFound && finder === null) throw new ConfigError(`[${section}] selects markets that ${repair}`)
}

type ConnectionValues = {
  per_connection: number
  connections_max: number
  subscribe_chunk: number
  connect_stagger_seconds: number
  ping_seconds: number
  pong_seconds: number
  snapshot_seconds: number
  reconnect_jitter_seconds: number
  backoff_from_seconds: number
  backoff_to_seconds: number
  healthy_seconds: number
  audits_per_second: number
}

export const connectionConfig = (values: ConnectionValues, wsUrl: string): ConnectionConfig => ({
  wsUrl,
  perConnection: values.per_connection,
  connectionsMax: values.connections_max,
  subscribeChunk: values.subscribe_chunk,
  connectStaggerMs: values.connect_stagger_seconds * 1_000,
  pingMs: values.ping_seconds * 1_000,
  pongMs: values.pong_seconds * 1_000,
  snapshotMs: values.snapshot_seconds * 1_000,
  reconnectJitterMs: values.reconnect_jitter_seconds * 1_000,
  backoffFromMs: values.backoff_from_seconds * 1_000,
  backoffToMs: values.backoff_to_seconds * 1_000,
  healthyMs: values.healthy_seconds * 1_000,
  auditsPerSecond: values.audits_per_second,
})

type RestValues = { rest_timeout_seconds: number; rest_attempts: number; rest_body_mb: number }

/** `given` is undefined where the file does not say, and empty where it says that there is none. */
export function restConfig(
  values: RestValues,
  { given, own, requestsPerSecond }: { given: string | undefined; own: string | null; requestsPerSecond: number },
): RestConfig | null {
  const url = (given ?? own ?? '').replace(/\/+$/, '')
  if (url === '') return null
  return {
    url,
    requestsPerSecond,
    timeoutMs: values.rest_timeout_seconds * 1_000,
    attempts: values.rest_attempts,
    bodyBytesMax: values.rest_body_mb * 2 ** 20,
  }
}
