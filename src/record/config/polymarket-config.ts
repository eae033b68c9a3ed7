// Builds the configuration of Polymarket from its section of record.toml.

import type { Static } from '@sinclair/typebox'
import { POLYMARKET_LIMITS } from './limits.ts'
import type { PolymarketConfig, PolymarketSelection } from './record-config.ts'
import { POLYMARKET_WS, type SECTIONS } from './record-settings.ts'
import { assertSelects, connectionConfig, restConfig } from './shared-config.ts'

const GAMMA = 'https://gamma-api.polymarket.com'
const CLOB = 'https://clob.polymarket.com'
/** Requests per second, well below the venue's limits. */
const GAMMA_PER_SECOND = 10
const CLOB_PER_SECOND = 50

type Values = Static<typeof SECTIONS.polymarket>

/** Throws ConfigError if settings contradict each other. */
export function polymarketConfig(values: Values): PolymarketConfig {
  const isOwn = values.ws_url === POLYMARKET_WS
  const gamma = restConfig(values.gamma_url ?? (isOwn ? GAMMA : null), GAMMA_PER_SECOND)
  const clob = restConfig(values.clob_url ?? (isOwn ? CLOB : null), CLOB_PER_SECOND)
  const selection = selectionOf(values)
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
