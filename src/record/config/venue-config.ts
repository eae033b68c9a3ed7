// Builds the configuration of each venue from its section of record.toml, and of Kalshi also from its private key:
// checked, times in ms, sizes in bytes. It has also the times and sizes that no setting changes, so that a test can
// replace them.

import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Static } from '@sinclair/typebox'
import { ConfigError } from '../../config/config-error.ts'
import { KALSHI_WS, POLYMARKET_WS, type SECTIONS } from './record-settings.ts'

/** Limits of connections and discovery that both venues have, without those of a venue. */
const SHARED = {
  /** Tokens or tickers in one command. */
  subscribeChunk: 100,
  /** Pause between opening two connections. */
  connectStaggerMs: 100,
  pingMs: 10_000,
  /** Longest random pause before a closed connection is reopened. */
  reconnectJitterMs: 750,
  /** Markets above this number are left out, and the status says so. */
  marketsMax: 200_000,
  /** How often all markets are listed. */
  scanMs: 1_800_000,
  /** How long a market is recorded after it was resolved or settled. */
  keepMs: 600_000,
}

const POLYMARKET_LIMITS = {
  ...SHARED,
  /** Longest wait for the answer to a ping; then the connection is reopened. */
  pongMs: 5_000,
  /** Longest wait for the first snapshot of a subscription. */
  snapshotMs: 8_000,
  /** Pause after a connection could not be opened. It doubles up to `backoffToMs`. */
  backoffFromMs: 1_000,
  backoffToMs: 60_000,
  /** Silence after which a busy connection with at least `broadBooks` books is reopened; null if silence proves
   *  nothing. */
  silenceMs: 30_000 as number | null,
  broadBooks: 100,
  /** How often another connection is replaced; null for never. */
  rotateMs: 720_000 as number | null,
  /** How often new markets are requested, and resolved ones. */
  newMs: 10_000,
  resolvedMs: 30_000,
  /** How long before it opens a market is subscribed. */
  aheadMs: Number.POSITIVE_INFINITY,
  /** Markets on a page. */
  pageSize: 100,
}

const KALSHI_LIMITS = {
  ...SHARED,
  pongMs: 20_000,
  snapshotMs: 10_000,
  backoffFromMs: 500,
  backoffToMs: 30_000,
  // A quiet market sends nothing, and the part of the venue that sends data also answers heartbeats.
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

/** A weekly window in the local time of a time zone. It may extend past midnight. */
export type WeeklyWindow = Readonly<{
  /** 0 is Sunday. */
  day: number
  fromMinute: number
  /** On the same day; on the next day if it is not after `fromMinute`. */
  toMinute: number
  timeZone: string
}>

const MAINTENANCE: WeeklyWindow = { day: 4, fromMinute: 180, toMinute: 300, timeZone: 'America/New_York' }

export type KalshiConfig = Readonly<ReturnType<typeof kalshiConfig>>
export type PolymarketConfig = Readonly<ReturnType<typeof polymarketConfig>>
/** What both venues have. */
export type ConnectionConfig = Pick<KalshiConfig, keyof KalshiConfig & keyof PolymarketConfig & keyof Connected>
type Connected = ReturnType<typeof connectionConfig> & typeof POLYMARKET_LIMITS

/** A market is selected if any of these lists names it, unless a list of `exclude` names it. Multivariate markets of
 *  Kalshi are selected only if they are named. */
export type KalshiSelection = KalshiConfig['selection']
export type PolymarketSelection = PolymarketConfig['selection']

/** Whether the selection needs discovery to find its markets. */
export const selectsByDiscovery = (selection: PolymarketSelection | KalshiSelection): boolean => {
  const { all, exclude: _, ...lists } = selection
  return all || Object.values(lists).some((each) => (typeof each === 'number' ? each > 0 : each.length > 0))
}

/** A REST server. Null if it is not used. */
export type RestConfig = NonNullable<ReturnType<typeof restConfig>>
export type KalshiSigning = NonNullable<ReturnType<typeof signingOf>>

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
function assertSelects(section: string, { selection, named, finder, keys, repair }: Selecting): void {
  const isFound = selectsByDiscovery(selection)
  if (!isFound && named.length === 0) {
    throw new ConfigError(`[${section}] selects no market: set ${keys}, or all = true`)
  }
  if (isFound && finder === null) throw new ConfigError(`[${section}] selects markets that ${repair}`)
}

type ConnectionValues = Static<(typeof SECTIONS)['kalshi' | 'polymarket']>

const connectionConfig = (values: ConnectionValues) => ({
  wsUrl: values.ws_url,
  /** Tokens of Polymarket, tickers of Kalshi. */
  perConnection: values.per_connection,
  connectionsMax: values.connections_max,
  /** 0 audits nothing. */
  auditsPerSecond: values.audits_per_second,
})

const REST_LIMITS = { timeoutMs: 10_000, attempts: 6, bodyBytesMax: 32 * 2 ** 20 }

/** Returns null for an empty address. */
function restConfig(address: string | null, requestsPerSecond: number) {
  const url = (address ?? '').replace(/\/+$/, '')
  return url === '' ? null : { url, requestsPerSecond, ...REST_LIMITS }
}

const REST = 'https://external-api.kalshi.com/trade-api/v2'

type KalshiValues = Static<typeof SECTIONS.kalshi>
type Origin = { folder: string; variables: Readonly<Record<string, string | undefined>> }

/** Throws ConfigError if settings contradict each other or the key cannot be read. */
export function kalshiConfig(values: KalshiValues, origin: Origin) {
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
    /** Null if the venue has no maintenance window. */
    maintenance: MAINTENANCE as WeeklyWindow | null,
    rest,
    signing: signingOf(values, origin),
    /** Recorded without discovery. */
    tickers: values.tickers as readonly string[],
    selection,
  }
}

/** Returns null without a private key: a key id alone signs nothing. An empty text counts as not set. No error message
 *  contains the key. */
function signingOf({ key_id, private_key_file: file }: KalshiValues, { folder, variables }: Origin) {
  const keyId = key_id || variables['KALSHI_KEY_ID'] || ''
  const privateKeyPem = file
    ? readKey(resolve(folder, file))
    : (variables['KALSHI_PRIVATE_KEY'] ?? '').replaceAll('\\n', '\n')
  if (privateKeyPem === '') return null
  if (keyId === '') throw new ConfigError('kalshi.key_id must be the id of the API key whose private key is given')
  if (isRsaKey(privateKeyPem)) return { keyId, privateKeyPem }
  const called = file ? `kalshi.private_key_file ${file}` : 'KALSHI_PRIVATE_KEY'
  throw new ConfigError(`${called} must hold an RSA key in PEM`)
}

function readKey(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    throw new ConfigError(`kalshi.private_key_file cannot be read: ${path}: ${code}`)
  }
}

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}

const GAMMA = 'https://gamma-api.polymarket.com'
const CLOB = 'https://clob.polymarket.com'
/** Requests per second, well below the venue's limits. */
const GAMMA_PER_SECOND = 10
const CLOB_PER_SECOND = 50

/** Throws ConfigError if settings contradict each other. */
export function polymarketConfig(values: Static<typeof SECTIONS.polymarket>) {
  const isOwn = values.ws_url === POLYMARKET_WS
  const gamma = restConfig(values.gamma_url ?? (isOwn ? GAMMA : null), GAMMA_PER_SECOND)
  const clob = restConfig(values.clob_url ?? (isOwn ? CLOB : null), CLOB_PER_SECOND)
  const selection = {
    all: values.all,
    slugs: values.slugs,
    events: values.events,
    tags: values.tags,
    series: values.series,
    /** Dollars; 0 selects nothing. */
    volumeMin: values.volume_min,
    exclude: {
      slugs: values.exclude_slugs,
      events: values.exclude_events,
      tags: values.exclude_tags,
      series: values.exclude_series,
    },
  }
  assertSelects('polymarket', {
    ...{ selection, named: values.asset_ids, finder: gamma },
    keys: 'asset_ids, slugs, events, tags, series or volume_min',
    repair: 'Gamma must find: set gamma_url, or name asset_ids alone',
  })
  return {
    ...connectionConfig(values),
    ...POLYMARKET_LIMITS,
    gamma,
    clob,
    /** Recorded without discovery. */
    assetIds: values.asset_ids as readonly string[],
    selection,
  }
}
