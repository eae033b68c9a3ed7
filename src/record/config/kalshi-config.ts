// The configuration of Kalshi, made of its section of record.toml and of its key.

import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Static } from '@sinclair/typebox'
import { ConfigError } from '../../config/config-error.ts'
import type { KALSHI_SETTINGS } from './kalshi-settings.ts'
import type { KalshiConfig, KalshiSelection, KalshiSigning, WeeklyWindow } from './record-config.ts'
import { assertSelects, connectionConfig, restConfig } from './shared-config.ts'

export const KALSHI_WS = 'wss://external-api-ws.kalshi.com/trade-api/ws/v2'
const REST = 'https://external-api.kalshi.com/trade-api/v2'
const MAINTENANCE = 'Thu 03:00-05:00 America/New_York'
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

type Values = Static<typeof KALSHI_SETTINGS>
type Origin = { folder: string; variables: Readonly<Record<string, string | undefined>> }

/** Throws ConfigError where settings do not go together, or the key cannot be read. */
export function kalshiConfig(values: Values, origin: Origin): KalshiConfig {
  const { ws_url: wsUrl = KALSHI_WS } = values
  const rest = restConfig(values, {
    given: values.rest_url,
    own: wsUrl === KALSHI_WS ? REST : null,
    requestsPerSecond: values.rest_per_second,
  })
  const selection = selectionOf(values)
  assertSelects('kalshi', {
    ...{ selection, named: values.tickers, finder: rest },
    keys: 'tickers, events, series or categories',
    repair: 'REST must find: set rest_url, or name tickers alone',
  })
  return {
    ...connectionConfig(values, wsUrl),
    rest,
    signing: signingOf(values, origin),
    tickers: values.tickers,
    selection,
    marketsMax: values.markets_max,
    replyMs: values.reply_seconds * 1_000,
    resyncMs: values.resync_seconds * 1_000,
    maintenance: windowOf(values.maintenance ?? MAINTENANCE),
    newMs: values.new_seconds * 1_000,
    resolvedMs: values.resolved_seconds * 1_000,
    scanMs: values.scan_seconds * 1_000,
    aheadMs: values.ahead_seconds * 1_000,
    pageSize: values.page_size,
    keepMs: values.keep_seconds * 1_000,
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

/** A key id alone signs nothing. An empty text counts as not set. The message never holds the key. */
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

/** Its form was checked. */
function windowOf(text: string): WeeklyWindow | null {
  if (text === '') return null
  const [day = '', times = '', timeZone = ''] = text.split(' ')
  const [fromMinute = 0, toMinute = 0] = times.split('-').map(minuteOf)
  try {
    new Intl.DateTimeFormat('en', { timeZone })
  } catch {
    throw new ConfigError(`kalshi.maintenance must name a time zone such as America/New_York, got ${timeZone}`)
  }
  return { day: DAYS.indexOf(day), fromMinute, toMinute, timeZone }
}

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
