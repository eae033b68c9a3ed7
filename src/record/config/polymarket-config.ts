// The configuration of Polymarket, made of its section of record.toml.

import type { Static } from '@sinclair/typebox'
import type { POLYMARKET_SETTINGS } from './polymarket-settings.ts'
import type { PolymarketConfig, PolymarketSelection } from './record-config.ts'
import { assertSelects, connectionConfig, restConfig } from './shared-config.ts'

export const POLYMARKET_WS = 'wss://ws-subscriptions-clob.polymarket.com/ws/market'
const GAMMA = 'https://gamma-api.polymarket.com'
const CLOB = 'https://clob.polymarket.com'

type Values = Static<typeof POLYMARKET_SETTINGS>

/** Throws ConfigError where settings do not go together. */
export function polymarketConfig(values: Values): PolymarketConfig {
  const { ws_url: wsUrl = POLYMARKET_WS } = values
  const isOwn = wsUrl === POLYMARKET_WS
  const gamma = restConfig(values, {
    given: values.gamma_url,
    own: isOwn ? GAMMA : null,
    requestsPerSecond: values.gamma_per_second,
  })
  const clob = restConfig(values, {
    given: values.clob_url,
    own: isOwn ? CLOB : null,
    requestsPerSecond: values.clob_per_second,
  })
  const selection = selectionOf(values)
  assertSelects('polymarket', {
    ...{ selection, named: values.asset_ids, finder: gamma },
    keys: 'asset_ids, slugs, events, tags, series or volume_min',
    repair: 'Gamma must find: set gamma_url, or name asset_ids alone',
  })
  return {
    ...connectionConfig(values, wsUrl),
    gamma,
    clob,
    assetIds: values.asset_ids,
    selection,
    marketsMax: values.markets_max,
    silenceMs: values.silence_seconds * 1_000,
    broadTokens: values.broad_tokens,
    rotateMs: values.rotate_seconds * 1_000,
    newMs: values.new_seconds * 1_000,
    resolvedMs: values.resolved_seconds * 1_000,
    scanMs: values.scan_seconds * 1_000,
    overlapMs: values.overlap_seconds * 1_000,
    pageSize: values.page_size,
    hydrateAttempts: values.hydrate_attempts,
    hydrateFromMs: values.hydrate_from_seconds * 1_000,
    hydrateToMs: values.hydrate_to_seconds * 1_000,
    keepMs: values.keep_seconds * 1_000,
  }
}

const selectionOf = (values: Values): PolymarketSelection => ({
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
})
