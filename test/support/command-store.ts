// A store that the tests of reading commands share: two days of a Kalshi market, and one of a Polymarket market.

import {
  CONDITION,
  DAY,
  kalshiDelta,
  kalshiSnapshot,
  NOON,
  priceChange,
  book as snapshot,
  TICKER,
} from '../model/lines.ts'
import { TestStore } from './store.ts'

export const DAY_AFTER = '2026-08-11'
const DAY_MS = 86_400_000
/** Of the first day: a page of the raw endpoint holds fewer. */
export const DELTAS = 120_000
export const ASSETS = ['111', '222'] as const

export async function commandStore(): Promise<TestStore> {
  const store = new TestStore()
  const deltas = Array.from({ length: DELTAS }, (_, i) => kalshiDelta(i * 10, `0.${20 + (i % 30)}00`, '1.50'))
  const later = [1, 2, 3].map((i) => kalshiDelta(DAY_MS + i * 1_000, '0.6000', '1.00'))
  const kalshi = [kalshiSnapshot([['0.2000', '5.00']], [['0.3000', '7.00']]), ...deltas, ...later]
  const polymarket = [
    ...ASSETS.map((asset) => snapshot(0, [['0.40', '10']], [['0.45', '20']], asset)),
    priceChange(500, { asset_id: ASSETS[0], price: '0.41', size: '3', side: 'BUY' }),
  ]
  await store.loadLines(
    'all.ndjson',
    [...kalshi, ...polymarket].map((line) => JSON.stringify(line)),
  )
  await store.store.flushed()
  return store
}

export { CONDITION, DAY, NOON, TICKER }
