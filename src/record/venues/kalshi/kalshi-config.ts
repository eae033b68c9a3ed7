// Builds Kalshi's configuration from its section of record.toml and from its private key. The values are checked; times
// are in ms, sizes in bytes. The configuration also has the times and sizes that no setting changes, so that a test can
// replace them.

import type { Static } from '@sinclair/typebox'
import { assertSelects, connectionConfig, type Origin, restConfig, SHARED_LIMITS } from '../../config/venue-config.ts'
import { type KALSHI_SETTINGS, KALSHI_WS } from './kalshi-settings.ts'
import { signerOf } from './signature.ts'

const KALSHI_LIMITS = {
  ...SHARED_LIMITS,
  pongMs: 20_000,
  snapshotMs: 10_000,
  backoffFromMs: 500,
  backoffToMs: 30_000,
  // Silence does not make a Kalshi socket be replaced: a quiet market sends nothing, and the part of the venue that
  // sends data also answers heartbeats.
  silenceMs: null as number | null,
  broadBooks: Number.POSITIVE_INFINITY,
  rotateMs: null as number | null,
  newMs: 30_000,
  resolvedMs: 60_000,
  aheadMs: 86_400_000,
  /** Longest wait for the answer to a command, and for the snapshots after a gap in the sequence. */
  replyMs: 10_000,
  resyncMs: 10_000,
}

export type KalshiConfig = Readonly<ReturnType<typeof kalshiConfig>>
/** Multivariate markets are selected only if they are named. */
export type KalshiSelection = KalshiConfig['selection']

const REST = 'https://external-api.kalshi.com/trade-api/v2'

/** Builds the configuration. Throws ConfigError if settings contradict each other or the key cannot be read. */
export function kalshiConfig(values: Static<typeof KALSHI_SETTINGS>, origin: Origin) {
  const own = values.ws_url === KALSHI_WS ? REST : null
  const rest = restConfig(values.rest_url ?? own, values.rest_per_second)
  const selection = {
    all: values.all,
    events: values.events,
    series: values.series,
    categories: values.categories,
    exclude: {
      tickers: values.exclude_tickers,
      events: values.exclude_events,
      series: values.exclude_series,
      categories: values.exclude_categories,
    },
  }
  assertSelects('kalshi', {
    ...{ selection, named: values.tickers, finder: rest },
    keys: 'tickers, events, series or categories',
    repair: 'REST must find: set rest_url, or name tickers alone',
  })
  return {
    ...connectionConfig(values),
    ...KALSHI_LIMITS,
    rest,
    /** Signs requests; undefined without a key. */
    sign: signerOf(values, origin),
    /** Tickers that are recorded without discovery. */
    tickers: values.tickers as readonly string[],
    selection,
  }
}
