// The settings of the section [polymarket] of record.toml, and the configuration that is built from them. The values
// are checked; times are in ms, sizes in bytes. The configuration also has the times and sizes that no setting changes,
// so that a test can replace them.

import { type Static, Type } from '@sinclair/typebox'
import { decimal, optionalText, text, texts, yesOrNo } from '../../../config/setting-kinds.ts'
import { connectionSettings, HTTP_ADDRESS, SOCKET_ADDRESS } from '../../config/record-settings.ts'
import { assertSelects, connectionConfig, restConfig, SHARED_LIMITS } from '../../config/venue-config.ts'

const POLYMARKET_WS = 'wss://ws-subscriptions-clob.polymarket.com/ws/market'

const TOKEN = { pattern: '^[0-9]{1,78}$', accepts: 'a list of token ids in quotes, each of up to 78 digits' }
const SLUG = { minLength: 1, accepts: 'a list of slugs in quotes' }

export const POLYMARKET_SETTINGS = Type.Object({
  ws_url: text({ ...SOCKET_ADDRESS, unlessGiven: POLYMARKET_WS, description: 'address of the market channel' }),
  gamma_url: optionalText({ ...HTTP_ADDRESS, description: 'Gamma, which lists markets' }),
  clob_url: optionalText({ ...HTTP_ADDRESS, description: 'CLOB, which gives books' }),
  asset_ids: texts({ ...TOKEN, description: 'tokens to record' }),
  slugs: texts({ ...SLUG, description: 'markets to record, by slug' }),
  events: texts({ ...SLUG, description: 'events whose markets are recorded, by slug' }),
  tags: texts({ ...SLUG, description: 'tags whose markets are recorded, by slug' }),
  series: texts({ ...SLUG, description: 'series whose markets are recorded, by slug' }),
  volume_min: decimal({
    minimum: 0,
    maximum: 1e15,
    unlessGiven: 0,
    otherwise: '0, which selects nothing',
    description: 'markets with at least this volume in dollars are recorded',
  }),
  all: yesOrNo({ unlessGiven: false, description: 'every market is recorded' }),
  exclude_slugs: texts({ ...SLUG, description: 'markets that are not recorded' }),
  exclude_events: texts({ ...SLUG, description: 'events whose markets are not recorded' }),
  exclude_tags: texts({ ...SLUG, description: 'tags whose markets are not recorded' }),
  exclude_series: texts({ ...SLUG, description: 'series whose markets are not recorded' }),
  ...connectionSettings('tokens', 2_000),
})

const POLYMARKET_LIMITS = {
  ...SHARED_LIMITS,
  pongMs: 5_000,
  snapshotMs: 8_000,
  backoffFromMs: 1_000,
  backoffToMs: 60_000,
  silenceMs: 30_000 as number | null,
  broadBooks: 100,
  rotateMs: 720_000 as number | null,
  newMs: 10_000,
  resolvedMs: 30_000,
  aheadMs: Number.POSITIVE_INFINITY,
  /** Markets on a page. */
  pageSize: 100,
}

export type PolymarketConfig = Readonly<ReturnType<typeof polymarketConfig>>
export type PolymarketSelection = PolymarketConfig['selection']

const GAMMA = 'https://gamma-api.polymarket.com'
const CLOB = 'https://clob.polymarket.com'
/** Requests per second, well below the venue's limits. */
const GAMMA_PER_SECOND = 10
const CLOB_PER_SECOND = 50

/** Builds the configuration. Throws ConfigError if settings contradict each other. */
export function polymarketConfig(values: Static<typeof POLYMARKET_SETTINGS>) {
  const isOwn = values.ws_url === POLYMARKET_WS
  const gamma = restConfig(values.gamma_url ?? (isOwn ? GAMMA : null), GAMMA_PER_SECOND)
  const clob = restConfig(values.clob_url ?? (isOwn ? CLOB : null), CLOB_PER_SECOND)
  const selection = {
    all: values.all,
    slugs: values.slugs,
    events: values.events,
    tags: values.tags,
    series: values.series,
    /** Minimum volume of selected markets, dollars. With 0, no market is selected by volume. */
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
    /** Tokens that are recorded without discovery. */
    assetIds: values.asset_ids as readonly string[],
    selection,
  }
}
