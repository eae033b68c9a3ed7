// Tests market/list: pages and prefixes.

import { expect, test } from 'bun:test'
import { ask, CONDITION, fakeCatalogue, TICKER, testApp } from '../../../test/support/server.ts'

async function askList(path: string) {
  const parsed: unknown[] = []
  const base = fakeCatalogue()
  const catalogue = fakeCatalogue({
    markets(venue, page) {
      parsed.push([venue, page.prefix, page.offset, page.limit])
      return base.markets(venue, page)
    },
  })
  const { body } = await ask(testApp({ catalogue }), path)
  return { body, parsed }
}

test('the list has its pagination twice', async () => {
  const { body, parsed } = await askList('/api/v1/kalshi/market/list')
  const pagination = { offset: 0, limit: 100, total_count: 1, has_more: false }
  expect(body).toEqual({ markets: [TICKER], data_count: 1, ...pagination, pagination })
  expect(parsed).toEqual([['kalshi', '', 0, 100]])
})

test('a page that ends early says that there is more', async () => {
  const catalogue = fakeCatalogue({ markets: () => ({ markets: ['A', 'B'], totalCount: 5 }) })
  const answers = await Promise.all(
    ['offset=0', 'offset=3', 'offset=9'].map((query) =>
      ask(testApp({ catalogue }), `/kalshi/market/list?limit=2&${query}`),
    ),
  )
  expect(answers.map(({ body }) => (body as { has_more: boolean }).has_more)).toEqual([true, false, false])
})

test.each([
  ['kalshi', 'kxTest', 'KXTEST', [TICKER]],
  ['kalshi', 'NO', 'NO', []],
  ['kalshi', '', '', [TICKER]],
  ['polymarket', '', '', [CONDITION]],
  ['polymarket', '0x', '0x', [CONDITION]],
  ['polymarket', 'AB', '0xab', [CONDITION]],
  ['polymarket', '0XAB', '0xab', [CONDITION]],
  ['polymarket', '0xcd', '0xcd', []],
] as const)('%s prefix %p is %p', async (venue, given, prefix, markets) => {
  const { body, parsed } = await askList(`/${venue}/market/list?prefix=${given}&offset=0&limit=1000`)
  expect(parsed).toEqual([[venue, prefix, 0, 1000]])
  expect(body).toMatchObject({ markets })
})
