// Tests a venue's description of a market, and what is stored of the market.

import { expect, test } from 'bun:test'
import type { KnownMarket } from '../../../storage/finding/finding.ts'
import { askIndex } from '../../../test/support/finding/index-question.ts'
import { TICKER } from '../../../test/support/server.ts'
import { marketInfo } from './market-info.ts'

const KNOWN = {
  card: { title: 'T', subtitle: null, slug: null, event: 'E', outcomes: [] },
  said: { ticker: TICKER, open_time: '2026-08-10T21:45:00Z', status: 'active' },
  loadedMs: 7,
  event: { id: 'E', title: 'Event', said: { said: { title: 'Event' } } },
} as unknown as KnownMarket
const knownMarket = async () => KNOWN

const ask = (ticker: string, catalogue = {}) => askIndex(marketInfo, { query: { ticker }, catalogue })

test('metadata and counts together, under the spelling of the store', async () => {
  expect((await ask(TICKER.toLowerCase(), { knownMarket })).body).toMatchObject({
    ...{ market_ticker: TICKER, title: 'T', event: { id: 'E', title: 'Event' }, status: 'active', result: null },
    ...{ open_timestamp: Date.parse('2026-08-10T21:45:00Z'), has_data: true, record_count: 9, loaded_at: 7 },
    said: { market: { ticker: TICKER }, event: { title: 'Event' } },
  })
})

test('records alone, metadata alone, and neither', async () => {
  expect((await ask(TICKER)).body).toMatchObject({ title: null, said: null, loaded_at: null, has_data: true })
  expect((await ask('KXNEW', { knownMarket })).body).toMatchObject({ title: 'T', has_data: false, record_count: 0 })
  await expect(ask('KXNEW')).rejects.toMatchObject({ code: 'market_not_stored' })
})

test('a tag depends on metadata, stored records and imports', async () => {
  const tags = [{}, { knownMarket }, { market: async () => undefined, knownMarket }, { provenanceStamp: async () => 1 }]
  const identities = await Promise.all(tags.map(async (changes) => (await ask(TICKER, changes)).identity))
  expect(new Set(identities).size).toBe(4)
})
