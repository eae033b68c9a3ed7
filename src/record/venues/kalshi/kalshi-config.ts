// Builds Kalshi's configuration from its section of record.toml and from its private key. The values are checked; times
// are in ms, sizes in bytes. The configuration also has the times and sizes that no setting changes, so that a test can
// replace them.

import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Static } from '@sinclair/typebox'
import { ConfigError } from '../../../config/config-error.ts'
import { assertSelects, connectionConfig, type Origin, restConfig, SHARED_LIMITS } from '../../config/venue-config.ts'
import { type KALSHI_SETTINGS, KALSHI_WS } from './kalshi-settings.ts'

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
export type KalshiSigning = NonNullable<ReturnType<typeof signingOf>>

const REST = 'https://external-api.kalshi.com/trade-api/v2'

type KalshiValues = Static<typeof KALSHI_SETTINGS>

/** Builds the configuration. Throws ConfigError if settings contradict each other or the key cannot be read. */
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
    rest,
    signing: signingOf(values, origin),
    /** Tickers that are recorded without discovery. */
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
