// Settings of the section [polymarket] of record.toml.

import { Type } from '@sinclair/typebox'
import { connectionSettings, restSettings } from './connection-settings.ts'
import { decimal, HTTP_ADDRESS, optionalText, SOCKET_ADDRESS, texts, whole, yesOrNo } from './setting-kinds.ts'

const TOKEN = { pattern: '^[0-9]{1,78}$', accepts: 'a list of token ids in quotes, each of up to 78 digits' }
const SLUG = { minLength: 1, accepts: 'a list of slugs in quotes' }
const OWN = "the venue's own, or none if ws_url names another server"

export const POLYMARKET_SETTINGS = Type.Object(
  {
    ws_url: optionalText(SOCKET_ADDRESS, {
      otherwise: 'wss://ws-subscriptions-clob.polymarket.com/ws/market',
      description: 'address of the market channel',
    }),
    gamma_url: optionalText(HTTP_ADDRESS, { otherwise: OWN, description: 'Gamma, which lists markets' }),
    clob_url: optionalText(HTTP_ADDRESS, { otherwise: OWN, description: 'CLOB, which gives books' }),
    asset_ids: texts(TOKEN, { description: 'tokens to record' }),
    slugs: texts(SLUG, { description: 'markets to record, by slug' }),
    events: texts(SLUG, { description: 'events whose markets are recorded, by slug' }),
    tags: texts(SLUG, { description: 'tags whose markets are recorded, by slug' }),
    series: texts(SLUG, { description: 'series whose markets are recorded, by slug' }),
    volume_min: decimal(0, 1e15, {
      unlessGiven: 0,
      otherwise: '0, which selects nothing',
      description: 'markets with at least this volume in dollars are recorded',
    }),
    all: yesOrNo({ unlessGiven: false, description: 'every market is recorded' }),
    exclude_slugs: texts(SLUG, { description: 'markets that are not recorded' }),
    exclude_events: texts(SLUG, { description: 'events whose markets are not recorded' }),
    exclude_tags: texts(SLUG, { description: 'tags whose markets are not recorded' }),
    exclude_series: texts(SLUG, { description: 'series whose markets are not recorded' }),
    markets_max: whole(1, 1_000_000, {
      unlessGiven: 200_000,
      description: 'markets that discovery takes; more are left out, and the status says so',
    }),
    ...connectionSettings({
      unit: 'tokens',
      perConnection: 200,
      connectionsMax: 2_000,
      pongSeconds: 5,
      snapshotSeconds: 8,
      backoffFromSeconds: 1,
      backoffToSeconds: 60,
    }),
    silence_seconds: decimal(0.1, 3_600, {
      unlessGiven: 30,
      description: 'silence after which a broad connection is reopened',
    }),
    broad_tokens: whole(1, 5_000, {
      unlessGiven: 100,
      description: 'a connection with so many tokens is broad: it is not silent by chance',
    }),
    rotate_seconds: decimal(1, 86_400, {
      unlessGiven: 720,
      description: 'how often a narrow connection is replaced by a new one',
    }),
    new_seconds: decimal(0.1, 86_400, { unlessGiven: 10, description: 'how often Gamma is asked for new markets' }),
    resolved_seconds: decimal(0.1, 86_400, {
      unlessGiven: 30,
      description: 'how often Gamma is asked for resolved markets',
    }),
    scan_seconds: decimal(0.1, 604_800, { unlessGiven: 1_800, description: 'how often Gamma is read as a whole' }),
    overlap_seconds: decimal(0, 86_400, {
      unlessGiven: 120,
      description: 'how far a question for new or resolved markets overlaps the one before it',
    }),
    page_size: whole(1, 1_000, { unlessGiven: 100, description: 'markets that are asked for at once' }),
    hydrate_attempts: whole(0, 1_000, {
      unlessGiven: 12,
      description: 'how often a new market without tokens is asked for again',
    }),
    hydrate_from_seconds: decimal(0.1, 600, {
      unlessGiven: 5,
      description: 'pause before the first of these questions',
    }),
    hydrate_to_seconds: decimal(0.1, 600, { unlessGiven: 15, description: 'pause before the last of them' }),
    keep_seconds: decimal(0, 604_800, {
      unlessGiven: 600,
      description: 'how long a market is recorded after it was resolved',
    }),
    gamma_per_second: decimal(0.1, 1_000, { unlessGiven: 10, description: 'requests to Gamma a second' }),
    clob_per_second: decimal(0.1, 1_000, { unlessGiven: 50, description: 'requests to CLOB a second' }),
    ...restSettings,
    audits_per_second: decimal(0, 1_000, {
      unlessGiven: 1,
      description: 'books that are compared with those of REST, a second; 0 compares none',
    }),
  },
  { additionalProperties: false },
)
