// Tests the search for markets by words: the query to the index, and which text counts as words.

import { expect, test } from 'bun:test'
import type { FoundMarket } from '../../../storage/finding/finding.ts'
import { askIndex } from '../../../test/support/finding/index-question.ts'
import { search, words } from './search.ts'

test('the index is queried once, and its order is preserved', async () => {
  const queries: unknown[] = []
  const found = ['B', 'A'].map((market) => ({
    venue: 'kalshi',
    market,
    card: undefined,
    event: null,
    entry: undefined,
  }))
  const catalogue = {
    search: async (query: unknown) => {
      queries.push(query)
      return found as FoundMarket[]
    },
  }
  const { body } = await askIndex(search, { query: { q: 'b a', venue: 'kalshi', limit: '5' }, catalogue })
  expect(body).toMatchObject({
    ...{ q: 'b a', data_count: 2 },
    data: [
      { venue: 'kalshi', market: 'B', title: null, has_data: false },
      { venue: 'kalshi', market: 'A' },
    ],
  })
  const other = await askIndex(search, { query: { q: 'b' }, catalogue })
  expect(queries).toEqual([
    { text: 'b a', venue: 'kalshi', limit: 5 },
    { text: 'b', venue: undefined, limit: 20 },
  ])
  const identityOf = async (q: string) => (await askIndex(search, { query: { q }, catalogue })).identity
  expect([await identityOf('b'), (await identityOf('c')) === other.identity]).toEqual([other.identity, false])
})

test('words have a letter or a digit, and at most 200 characters', () => {
  expect(['a', '0', 'é', '東', 'a'.repeat(200), '- a'].map(words.matches)).toEqual([true, true, true, true, true, true])
  expect(['', ' ', '-?', '😀', 'a'.repeat(201)].map(words.matches)).toEqual([false, false, false, false, false])
})
