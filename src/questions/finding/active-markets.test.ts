// Tests the busiest markets of a date, from the stored sums.

import { expect, test } from 'bun:test'
import type { BusiestQuery, FoundMarket } from '../../../storage/finding/finding.ts'
import { askIndex } from '../../../test/support/finding/index-question.ts'
import { activeMarkets } from './active-markets.ts'

const day = (market: string) => ({ market, records: 5, trades: 4, volume: 2_500_000n, gaps: 1, gapMs: 30 })

function made(markets: string[], totalCount: number) {
  const queries: unknown[] = []
  const catalogue = {
    busiest: async (...given: [unknown, string, BusiestQuery]) => {
      queries.push(given)
      return { days: markets.map(day), totalCount }
    },
    foundMarkets: async (_: unknown, named: string[]) =>
      named.map((market) => ({ market, card: undefined, event: { id: 'E', title: null } }) as unknown as FoundMarket),
  }
  return { catalogue, queries }
}

test('each market has its counts and metadata, and a page says whether another follows', async () => {
  const { catalogue, queries } = made(['A', 'B'], 5)
  const query = { date: '2026-08-10', by: 'volume', q: 'a', offset: '2', limit: '2' }
  const { body } = await askIndex(activeMarkets, { query, catalogue })
  expect(queries).toEqual([['kalshi', '2026-08-10', { by: 'volume', text: 'a', offset: 2, limit: 2 }]])
  const known = { title: null, subtitle: null, slug: null, event: { id: 'E', title: null }, outcomes: [] }
  const counts = { records: 5, trades: 4, volume: 2.5, gaps: 1, gap_ms: 30 }
  expect(body).toEqual({
    ...{ date: '2026-08-10', data_count: 2, offset: 2, limit: 2, total_count: 5, has_more: true },
    data: ['A', 'B'].map((market) => ({ market, ...known, ...counts })),
  })
})

test('sorts by records by default, and no page follows the last one', async () => {
  const { catalogue, queries } = made(['A'], 3)
  const query = { date: '2026-08-10', offset: '2' }
  expect((await askIndex(activeMarkets, { query, catalogue })).body).toMatchObject({ limit: 20, has_more: false })
  expect(queries).toEqual([['kalshi', '2026-08-10', { by: 'records', text: undefined, offset: 2, limit: 20 }]])
})
