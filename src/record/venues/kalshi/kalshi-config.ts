// The settings of the section [kalshi] of record.toml, and the configuration that is built from them and from the
// private key. The values are checked; times are in ms, sizes in bytes. The configuration also has the times and sizes
// that no setting changes, so that a test can replace them.

import { type Static, Type } from '@sinclair/typebox'
import { TICKER } from '../../../../storage/venues/kalshi.ts'
import { decimal, optionalText, text, texts, yesOrNo } from '../../../config/setting-kinds.ts'
import { connectionSettings, HTTP_ADDRESS, SOCKET_ADDRESS } from '../../config/record-settings.ts'
import { assertSelects, connectionConfig, type Origin, restConfig, SHARED_LIMITS } from '../../config/venue-config.ts'
import { signerOf } from './signature.ts'

const KALSHI_WS = 'wss://external-api-ws.kalshi.com/trade-api/ws/v2'

const TICKERS = { pattern: TICKER.source, accepts: 'a list of tickers in quotes' }
const CATEGORY = { minLength: 1, accepts: 'a list of names in quotes' }

export const KALSHI_SETTINGS = Type.Object({
  ws_url: text({ ...SOCKET_ADDRESS, unlessGiven: KALSHI_WS, description: 'address of the WebSocket API' }),
  rest_url: optionalText({ ...HTTP_ADDRESS, description: 'address of the REST API, up to /trade-api/v2' }),
  key_id: optionalText({
    accepts: 'the id of an API key',
    unlessGiven: null,
    otherwise: 'the variable KALSHI_KEY_ID, else none',
    description: 'API key that signs the handshake; without one it is not signed',
  }),
  private_key_file: optionalText({
    accepts: 'the path of a PEM file',
    unlessGiven: null,
    otherwise: 'the variable KALSHI_PRIVATE_KEY, which holds the key itself, else none',
    description: 'private key of that API key; a relative path starts at the folder of this file',
  }),
  tickers: texts({ ...TICKERS, description: 'markets to record' }),
  events: texts({ ...TICKERS, description: 'events whose markets are recorded' }),
  series: texts({ ...TICKERS, description: 'series whose markets are recorded' }),
  categories: texts({ ...CATEGORY, description: 'categories whose markets are recorded, such as Crypto' }),
  all: yesOrNo({ unlessGiven: false, description: 'every market is recorded, except for multivariate ones' }),
  exclude_tickers: texts({ ...TICKERS, description: 'markets that are not recorded' }),
  exclude_events: texts({ ...TICKERS, description: 'events whose markets are not recorded' }),
  exclude_series: texts({ ...TICKERS, description: 'series whose markets are not recorded' }),
  exclude_categories: texts({ ...CATEGORY, description: 'categories whose markets are not recorded' }),
  ...connectionSettings('tickers', 200),
  rest_per_second: decimal({
    minimum: 0.1,
    maximum: 1_000,
    unlessGiven: 10,
    description: 'requests to REST a second',
  }),
})

const KALSHI_LIMITS = {
  ...SHARED_LIMITS,
  pongMs: 20_000,
  snapshotMs: 10_000,
  backoffFromMs: 500,
  backoffToMs: 30_000,
  // A silent Kalshi socket is not replaced: a quiet market sends nothing, and the part of the venue that sends data
  // also answers heartbeats.
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
