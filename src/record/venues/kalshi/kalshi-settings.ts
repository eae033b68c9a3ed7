// The settings of the section [kalshi] of record.toml.

import { Type } from '@sinclair/typebox'
import { decimal, optionalText, text, texts, yesOrNo } from '../../../config/setting-kinds.ts'
import { connectionSettings, HTTP_ADDRESS, SOCKET_ADDRESS } from '../../config/record-settings.ts'

export const KALSHI_WS = 'wss://external-api-ws.kalshi.com/trade-api/ws/v2'

const TICKER = { pattern: '^[A-Za-z0-9._-]{1,128}$', accepts: 'a list of tickers in quotes' }
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
  tickers: texts({ ...TICKER, description: 'markets to record' }),
  events: texts({ ...TICKER, description: 'events whose markets are recorded' }),
  series: texts({ ...TICKER, description: 'series whose markets are recorded' }),
  categories: texts({ ...CATEGORY, description: 'categories whose markets are recorded, such as Crypto' }),
  all: yesOrNo({ unlessGiven: false, description: 'every market is recorded, except for multivariate ones' }),
  exclude_tickers: texts({ ...TICKER, description: 'markets that are not recorded' }),
  exclude_events: texts({ ...TICKER, description: 'events whose markets are not recorded' }),
  exclude_series: texts({ ...TICKER, description: 'series whose markets are not recorded' }),
  exclude_categories: texts({ ...CATEGORY, description: 'categories whose markets are not recorded' }),
  ...connectionSettings('tickers', 200),
  rest_per_second: decimal({
    minimum: 0.1,
    maximum: 1_000,
    unlessGiven: 10,
    description: 'requests to REST a second',
  }),
})
