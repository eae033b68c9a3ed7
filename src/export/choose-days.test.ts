// Tests which markets and dates an export chooses, before it writes anything.

import { expect, test } from 'bun:test'
import type { BookEntry } from '../../storage/format/partition-head.ts'
import { CONDITION, fakeCatalogue, head } from '../../test/support/server.ts'
import { type Choice, chooseDays, dateRange } from './choose-days.ts'

const DAYS: Record<string, Record<string, string[]>> = {
  A: { '2026-08-10': ['A'], '2026-08-11': ['A'], '2026-08-13': ['A'] },
  B: { '2026-08-11': ['B'] },
  [CONDITION]: { '2026-08-10': ['1', '2'], '2026-08-11': ['2'] },
}
const catalogue = fakeCatalogue({
  heads: async (_, market, range) =>
    Object.entries(DAYS[market] ?? {}).flatMap(([date, books]) => {
      const isIn = range === undefined || (range.from <= date && date <= range.to)
      return isIn ? [{ date, head: head({ books: books.map((id) => ({ id }) as BookEntry) }) }] : []
    }),
  event: async (_, event) => (event === 'E' ? { id: 'E', title: null, markets: ['A', 'NONE', 'B'] } : undefined),
  knownMarket: async (_, market) => (market === 'A' ? ({ loadedMs: 5 } as never) : undefined),
})
const CHOICE: Choice = { venue: 'kalshi', markets: [], event: undefined, dates: [], assetId: undefined }
const choose = async (changes: Partial<Choice>) =>
  (await chooseDays(catalogue, { ...CHOICE, ...changes })).map(({ market, dates }) => [
    market,
    dates.map((date) => date.slice(8)).join(' '),
  ])
const day = (date: string) => ({ from: `2026-08-${date}`, to: `2026-08-${date}` })

test('named markets and those of an event, each once, with all stored dates', async () => {
  expect(await choose({ markets: ['b', 'A'], event: 'E' })).toEqual([
    ['B', '11'],
    ['A', '10 11 13'],
  ])
  expect((await chooseDays(catalogue, { ...CHOICE, markets: ['A'] }))[0]).toMatchObject({
    ...{ venue: 'kalshi', market: 'A', known: { loadedMs: 5 } },
  })
})

test('dates of several ranges, ascending and each once', async () => {
  const dates = [day('13'), { from: '2026-08-10', to: '2026-08-11' }, day('11')]
  expect(await choose({ markets: ['A'], dates })).toEqual([['A', '10 11 13']])
  // Chooses only those markets of the event that have these dates.
  expect(await choose({ event: 'E', dates: [day('13')] })).toEqual([['A', '13']])
})

test('one token of a market, on the dates that have it', async () => {
  const asset = { venue: 'polymarket', markets: [CONDITION.toUpperCase().replace('0X', '')] } as const
  expect(await choose({ ...asset, assetId: '1' })).toEqual([[CONDITION, '10']])
  expect(await choose({ ...asset, assetId: '2' })).toEqual([[CONDITION, '10 11']])
})

test.each<[Partial<Choice>, number, string]>([
  [{ markets: ['A', 'NONE'] }, 3, 'nothing is stored of the kalshi market NONE'],
  [{ markets: ['A'], dates: [day('12')] }, 3, 'nothing is stored of the kalshi market A on 2026-08-12'],
  [
    { markets: ['B'], dates: [{ from: '2026-08-12', to: '2026-08-13' }, day('10')] },
    3,
    'the kalshi market B on 2026-08-12..2026-08-13, 2026-08-10',
  ],
  [{ event: 'F' }, 3, 'no market is known of the kalshi event F'],
  [{ event: 'E', dates: [day('01')] }, 3, 'of the markets of the kalshi event E on 2026-08-01'],
  [
    { venue: 'polymarket', markets: [CONDITION], assetId: '3' },
    3,
    `nothing is stored of the asset 3 of the polymarket market ${CONDITION}, but of 1 and 2`,
  ],
  [{ markets: ['a b'] }, 2, '--market must be 1 to 128 characters'],
])('%j is refused', async (changes, exitCode, message) => {
  const refused = choose(changes)
  await expect(refused).rejects.toMatchObject({ name: 'CommandError', exitCode })
  await expect(refused).rejects.toThrow(message)
})

test('a date or two', () => {
  expect(dateRange('2026-08-10')).toEqual({ from: '2026-08-10', to: '2026-08-10' })
  expect(dateRange('2026-08-10..2026-08-11')).toEqual({ from: '2026-08-10', to: '2026-08-11' })
  expect(() => dateRange('2026-08-11..2026-08-10')).toThrow('a range whose first date is not after its last')
  for (const given of ['', '2026-02-30', '2026-08-10..', '2026-08-10..2026-08-11..2026-08-12', '2026-08-10..x']) {
    expect(() => dateRange(given)).toThrow('--date must be a UTC date written YYYY-MM-DD, or two of them as A..B')
  }
})
