// Builds the configuration of Kalshi from its section of record.toml and its private key.

import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Static } from '@sinclair/typebox'
import { ConfigError } from '../../config/config-error.ts'
import { KALSHI_LIMITS } from './limits.ts'
import type { KalshiConfig, KalshiSelection, KalshiSigning, WeeklyWindow } from './record-config.ts'
import { KALSHI_WS, type SECTIONS } from './record-settings.ts'
import { assertSelects, connectionConfig, restConfig } from './shared-config.ts'

const REST = 'https://external-api.kalshi.com/trade-api/v2'
const MAINTENANCE: WeeklyWindow = { day: 4, fromMinute: 180, toMinute: 300, timeZone: 'America/New_York' }

type Values = Static<typeof SECTIONS.kalshi>
type Origin = { folder: string; variables: Readonly<Record<string, string | undefined>> }

/** Throws ConfigError if settings contradict each other or the key cannot be read. */
export function kalshiConfig(values: Values, origin: Origin): KalshiConfig {
  const own = values.ws_url === KALSHI_WS ? REST : null
  const rest = restConfig(values.rest_url ?? own, values.rest_per_second)
  const selection = selectionOf(values)
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

const selectionOf = (values: Values): KalshiSelection => ({
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
})

/** Returns null without a private key: a key id alone signs nothing. An empty text counts as not set. No error message
 *  contains the key. */
function signingOf({ key_id, private_key_file: file }: Values, { folder, variables }: Origin): KalshiSigning | null {
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
