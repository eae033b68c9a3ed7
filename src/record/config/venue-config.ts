// Builds the configuration of each venue from its section of record.toml, and of Kalshi also from its private key.

import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Static } from '@sinclair/typebox'
import { ConfigError } from '../../config/config-error.ts'
import {
  KALSHI_LIMITS,
  type KalshiConfig,
  type KalshiSelection,
  type KalshiSigning,
  POLYMARKET_LIMITS,
  type PolymarketConfig,
  type PolymarketSelection,
  type RestConfig,
  selectsByDiscovery,
  type WeeklyWindow,
} from './record-config.ts'
import { KALSHI_WS, POLYMARKET_WS, type SECTIONS } from './record-settings.ts'

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
  perConnection: values.per_connection,
  connectionsMax: values.connections_max,
  auditsPerSecond: values.audits_per_second,
})

const REST_LIMITS = { timeoutMs: 10_000, attempts: 6, bodyBytesMax: 32 * 2 ** 20 }

/** Returns null for an empty address. */
function restConfig(address: string | null, requestsPerSecond: number): RestConfig | null {
  const url = (address ?? '').replace(/\/+$/, '')
  return url === '' ? null : { url, requestsPerSecond, ...REST_LIMITS }
}

const REST = 'https://external-api.kalshi.com/trade-api/v2'
const MAINTENANCE: WeeklyWindow = { day: 4, fromMinute: 180, toMinute: 300, timeZone: 'America/New_York' }

type KalshiValues = Static<typeof SECTIONS.kalshi>
type Origin = { folder: string; variables: Readonly<Record<string, string | undefined>> }

/** Throws ConfigError if settings contradict each other or the key cannot be read. */
export function kalshiConfig(values: KalshiValues, origin: Origin): KalshiConfig {
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
    maintenance: MAINTENANCE,
    rest,
    signing: signingOf(values, origin),
    tickers: values.tickers,
    selection,
  }
}

/** Returns null without a private key: a key id alone signs nothing. An empty text counts as not set. No error message
 *  contains the key. */
function signingOf(
  { key_id, private_key_file: file }: KalshiValues,
  { folder, variables }: Origin,
): KalshiSigning | null {
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
export function polymarketConfig(values: Static<typeof SECTIONS.polymarket>): PolymarketConfig {
  const isOwn = values.ws_url === POLYMARKET_WS
  const gamma = restConfig(values.gamma_url ?? (isOwn ? GAMMA : null), GAMMA_PER_SECOND)
  const clob = restConfig(values.clob_url ?? (isOwn ? CLOB : null), CLOB_PER_SECOND)
  const selection = {
    all: values.all,
    slugs: values.slugs,
    events: values.events,
    tags: values.tags,
    series: values.series,
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
    assetIds: values.asset_ids,
    selection,
  }
}
