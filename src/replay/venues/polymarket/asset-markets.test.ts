// Tests how the market of an outcome token is found: on the dates of a replay first, then on the last date of each
// market.

import { expect, test } from 'bun:test'
import type { BookEntry } from '../../../../storage/format/partition-head.ts'
import { fakeCatalogue, head } from '../../../../test/support/server.ts'
import { AssetMarkets } from './asset-markets.ts'

const window = (from: string, to = from) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) })

/** Market A has its token on both dates, market B only on the later one, market C on none. */
const DAYS: Record<string, Record<string, string[]>> = {
  '2026-08-10': { A: ['1'] },
  '2026-08-11': { A: ['1'], B: ['2', '3'] },
  '2026-07-01': { C: ['4'] },
}
function made() {
  const queries: string[] = []
  let stamp = 'a'
  const markets = ['A', 'B', 'C']
  const catalogue = fakeCatalogue({
    busiest: async (_, date) => {
      queries.push(date)
      const days = Object.keys(DAYS[date] ?? {}).map((market) => ({ market }))
      return { days, totalCount: days.length } as never
    },
    markets: async () => {
      queries.push('all')
      return { markets, totalCount: markets.length }
    },
    market: async (_, market) => ({ lastDate: market === 'C' ? '2026-07-01' : '2026-08-11' }) as never,
    head: async ({ market, date }) => {
      queries.push(`${market} ${date}`)
      return head({ books: (DAYS[date]?.[market] ?? []).map((id) => ({ id }) as BookEntry) })
    },
    marketsStamp: async () => stamp,
  })
  const change = () => {
    stamp += 'a'
  }
  return { assets: new AssetMarkets(catalogue), queries, change }
}

test('the dates of the replay are read, each market of a date once, until all tokens are found', async () => {
  const { assets, queries } = made()
  expect([...(await assets.marketsOf(['1'], window('2026-08-10', '2026-08-11')))]).toEqual([['1', 'A']])
  expect(queries).toEqual(['2026-08-10', 'A 2026-08-10'])
  expect([...(await assets.marketsOf(['1', '3'], window('2026-08-10', '2026-08-11')))]).toEqual([
    ['1', 'A'],
    ['3', 'B'],
  ])
  expect(queries.slice(2)).toEqual(['2026-08-10', '2026-08-11', 'A 2026-08-11', 'B 2026-08-11'])
  queries.length = 0
  expect((await assets.marketsOf(['2', '1'], window('2020-01-01'))).size).toBe(2)
  expect(queries).toEqual([])
})

test('a token that these dates lack is looked for on the last date of every market', async () => {
  const { assets, queries } = made()
  expect([...(await assets.marketsOf(['4'], window('2026-08-10')))]).toEqual([['4', 'C']])
  expect(queries).toEqual(['2026-08-10', 'A 2026-08-10', 'all', 'A 2026-08-11', 'B 2026-08-11', 'C 2026-07-01'])
})

test('a token that is not stored is left out, and looked for again once something is stored', async () => {
  const { assets, queries, change } = made()
  const reads = async () => {
    queries.length = 0
    expect([...(await assets.marketsOf(['9', '1'], window('2026-08-12')))]).toEqual([['1', 'A']])
    return queries.filter((each) => each.includes(' ')).length
  }
  expect([await reads(), await reads()]).toEqual([3, 0])
  change()
  expect(await reads()).toBe(3)
})

test('at most seven dates of a replay are read', async () => {
  const { assets, queries } = made()
  await assets.marketsOf(['9'], window('2026-07-20', '2026-08-12'))
  expect(queries.slice(0, 8)).toEqual([
    ...['2026-07-20', '2026-07-21', '2026-07-22', '2026-07-23', '2026-07-24', '2026-07-25', '2026-07-26', 'all'],
  ])
})
