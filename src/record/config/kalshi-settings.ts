// Settings of the section [kalshi] of record.toml.

import { Type } from '@sinclair/typebox'
import { connectionSettings, restSettings } from './connection-settings.ts'
import { decimal, HTTP_ADDRESS, optionalText, SOCKET_ADDRESS, texts, whole, yesOrNo } from './setting-kinds.ts'

const TICKER = { pattern: '^[A-Za-z0-9._-]{1,128}$', accepts: 'a list of tickers in quotes' }
const NAME = { minLength: 1, accepts: 'a list of names in quotes' }
const DAYS = 'Sun|Mon|Tue|Wed|Thu|Fri|Sat'
const TIME = '(?:[01][0-9]|2[0-3]):[0-5][0-9]'

export const KALSHI_SETTINGS = Type.Object(
  {
    ws_url: optionalText(SOCKET_ADDRESS, {
      otherwise: 'wss://external-api-ws.kalshi.com/trade-api/ws/v2',
      description: 'address of the WebSocket API',
    }),
    rest_url: optionalText(HTTP_ADDRESS, {
      otherwise: "the venue's own, or none if ws_url names another server",
      description: 'address of the REST API, up to /trade-api/v2',
    }),
    key_id: optionalText(
      { accepts: 'the id of an API key' },
      {
        otherwise: 'the variable KALSHI_KEY_ID, else none',
        description: 'API key that signs the handshake; without one it is not signed',
      },
    ),
    private_key_file: optionalText(
      { accepts: 'the path of a PEM file' },
      {
        otherwise: 'the variable KALSHI_PRIVATE_KEY, which holds the key itself, else none',
        description: 'private key of that API key; a relative path starts at the folder of this file',
      },
    ),
    tickers: texts(TICKER, { description: 'markets to record' }),
    events: texts(TICKER, { description: 'events whose markets are recorded' }),
    series: texts(TICKER, { description: 'series whose markets are recorded' }),
    categories: texts(NAME, { description: 'categories whose markets are recorded, such as Crypto' }),
    all: yesOrNo({ unlessGiven: false, description: 'every market is recorded, except for multivariate ones' }),
    exclude_tickers: texts(TICKER, { description: 'markets that are not recorded' }),
    exclude_events: texts(TICKER, { description: 'events whose markets are not recorded' }),
    exclude_series: texts(TICKER, { description: 'series whose markets are not recorded' }),
    exclude_categories: texts(NAME, { description: 'categories whose markets are not recorded' }),
    markets_max: whole(1, 1_000_000, {
      unlessGiven: 200_000,
      description: 'markets that discovery takes; more are left out, and the status says so',
    }),
    ...connectionSettings({
      unit: 'tickers',
      perConnection: 200,
      connectionsMax: 200,
      pongSeconds: 20,
      snapshotSeconds: 10,
      backoffFromSeconds: 0.5,
      backoffToSeconds: 30,
    }),
    reply_seconds: decimal(0.1, 600, {
      unlessGiven: 10,
      description: 'how long the answer to a command may take; then the connection is reopened',
    }),
    resync_seconds: decimal(0.1, 600, {
      unlessGiven: 10,
      description: 'how long the books may take after a hole in the sequence; then the connection is reopened',
    }),
    maintenance: optionalText(
      {
        pattern: `^(?:(?:${DAYS}) ${TIME}-${TIME} [A-Za-z_+/-]+)?$`,
        accepts: 'a window such as "Thu 03:00-05:00 America/New_York", or "" for none',
      },
      {
        otherwise: 'Thu 03:00-05:00 America/New_York',
        description: 'weekly maintenance: an outage in it is reported as planned',
      },
    ),
    new_seconds: decimal(0.1, 86_400, { unlessGiven: 30, description: 'how often new markets are asked for' }),
    resolved_seconds: decimal(0.1, 86_400, {
      unlessGiven: 60,
      description: 'how often markets past their close are asked for until they are settled',
    }),
    scan_seconds: decimal(0.1, 604_800, { unlessGiven: 1_800, description: 'how often all markets are listed' }),
    ahead_seconds: decimal(0, 2_592_000, {
      unlessGiven: 86_400,
      description: 'how long before its opening a market is subscribed',
    }),
    page_size: whole(1, 200, {
      unlessGiven: 200,
      description: 'events with their markets that are asked for at once; the venue gives 200 at most',
    }),
    keep_seconds: decimal(0, 604_800, {
      unlessGiven: 600,
      description: 'how long a market is recorded after it was settled',
    }),
    rest_per_second: decimal(0.1, 1_000, { unlessGiven: 10, description: 'requests to REST a second' }),
    ...restSettings,
    audits_per_second: decimal(0, 1_000, {
      unlessGiven: 1,
      description: 'books that are compared with those of REST, a second; 0 compares none',
    }),
  },
  { additionalProperties: false },
)
