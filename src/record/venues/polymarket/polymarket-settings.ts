// The settings of the section [polymarket] of record.toml.

import { Type } from '@sinclair/typebox'
import { decimal, optionalText, text, texts, yesOrNo } from '../../../config/setting-kinds.ts'
import { connectionSettings, HTTP_ADDRESS, SOCKET_ADDRESS } from '../../config/record-settings.ts'

export const POLYMARKET_WS = 'wss://ws-subscriptions-clob.polymarket.com/ws/market'

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
