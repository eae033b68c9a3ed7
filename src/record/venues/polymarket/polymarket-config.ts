// Builds Polymarket's configuration from its section of record.toml. The values are checked; times are in ms, sizes in
// bytes. The configuration also has the times and sizes that no setting changes, so that a test can replace them.

import type { Static } from '@sinclair/typebox'
import { assertSelects, connectionConfig, restConfig, SHARED_LIMITS } from '../../config/venue-config.ts'
import { type POLYMARKET_SETTINGS, POLYMARKET_WS } from './polymarket-settings.ts'

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
