// The parts that the configurations of all venues share: limits of connections and discovery, and checks.

import { ConfigError } from '../../config/config-error.ts'

/** Limits of connections and discovery that are the same for all venues. */
export const SHARED_LIMITS = {
  /** Number of tokens or tickers in one command. */
  subscribeChunk: 100,
  /** Pause between opening two connections. */
  connectStaggerMs: 100,
  pingMs: 10_000,
  /** Longest random pause before a closed connection is reopened. */
  reconnectJitterMs: 750,
  /** Interval at which all markets are listed, ms. */
  scanMs: 1_800_000,
  /** How long a market is recorded after it was resolved or settled. */
  keepMs: 600_000,
}

/** A market is selected if one of the lists names it, or if it reaches one of the minimum numbers, unless a list of
 *  `exclude` names it. */
type Selection = { all: boolean; exclude: object } & Record<string, boolean | number | object>

/** Whether the selection needs discovery to find its markets. */
export const selectsByDiscovery = (selection: Selection): boolean => {
  const { all, exclude: _, ...lists } = selection
  return all || Object.values(lists).some((each) => (Array.isArray(each) ? each.length > 0 : Number(each) > 0))
}

/** The configuration that every venue has: its connections, and how often discovery requests markets. */
export type ConnectionConfig = Readonly<ReturnType<typeof connectionConfig> & typeof SHARED_LIMITS & OwnLimits>

type OwnLimits = {
  selection: Selection
  /** Longest wait for the answer to a ping; then the connection is reopened. */
  pongMs: number
  /** Longest wait for the first snapshot of a subscription. */
  snapshotMs: number
  /** First pause after a connection could not be opened. The pause doubles with each further failure, up to
   *  `backoffToMs`. */
  backoffFromMs: number
  backoffToMs: number
  /** Silence after which a busy connection with at least `broadBooks` books is reopened; null if silence does not show
   *  that the connection has failed. */
  silenceMs: number | null
  broadBooks: number
  /** Interval at which the next connection is replaced, ms; null for never. */
  rotateMs: number | null
  /** Intervals at which new markets (`newMs`) and resolved markets (`resolvedMs`) are requested, ms. */
  newMs: number
  resolvedMs: number
  /** A market is subscribed this long before it opens. */
  aheadMs: number
}

/** The folder of record.toml, and the environment variables that can hold settings which the file leaves out. */
export type Origin = { folder: string; variables: Readonly<Record<string, string | undefined>> }

/** A REST server, and the limits of requests to it. */
export type RestConfig = NonNullable<ReturnType<typeof restConfig>>

type Selecting = {
  selection: Selection
  /** Tokens or tickers that need no discovery. */
  named: readonly string[]
  /** The server that finds the markets that are not in `named`; null if there is none. */
  finder: RestConfig | null
  /** Parts of error messages: `keys` names the settings that select markets, and `repair` says what to do without a
   *  finder. */
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

type ConnectionValues = { ws_url: string } & Record<'per_connection' | 'connections_max' | 'audits_per_second', number>

export const connectionConfig = (values: ConnectionValues) => ({
  wsUrl: values.ws_url,
  /** Number of Polymarket tokens or Kalshi tickers on a connection. */
  perConnection: values.per_connection,
  connectionsMax: values.connections_max,
  /** With 0, no book is audited. */
  auditsPerSecond: values.audits_per_second,
})

const REST_LIMITS = { timeoutMs: 10_000, attempts: 6, bodyBytesMax: 32 * 2 ** 20 }

/** Returns null for an empty address. */
export function restConfig(address: string | null, requestsPerSecond: number) {
  const url = (address ?? '').replace(/\/+$/, '')
  return url === '' ? null : { url, requestsPerSecond, ...REST_LIMITS }
}
