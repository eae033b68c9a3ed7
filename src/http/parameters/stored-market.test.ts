// Tests the check that a market is stored.

import { expect, test } from 'bun:test'
import { fakeCatalogue, TICKER } from '../../../test/support/server.ts'
import { assertStored } from './stored-market.ts'
import { PARAMETERS } from './venue-parameters.ts'

const { kalshi } = PARAMETERS

test('a stored market passes, another is a DataError that names it', async () => {
  await assertStored(fakeCatalogue(), kalshi, TICKER)
  await expect(assertStored(fakeCatalogue(), kalshi, 'NONE')).rejects.toThrow('kalshi market with ticker NONE')
})

test.each([
  [['KXG-26AUG102115-15'], 'did you mean KXG-26AUG102115-15?'],
  [['KXG-26AUG102115-15', 'KXG-26AUG102115-30'], 'did you mean KXG-26AUG102115-15? 2 stored markets begin with'],
  [[], 'see market/list for what is'],
])('a ticker without its last part, of %j', async (markets, text) => {
  const prefixes: string[] = []
  const catalogue = {
    market: async () => undefined,
    markets: async (_: string, { prefix, limit }: { prefix: string; limit: number }) => {
      prefixes.push(prefix)
      return { markets: markets.slice(0, limit), totalCount: markets.length }
    },
  }
  await expect(assertStored(catalogue, kalshi, 'KXG-26AUG102115')).rejects.toThrow(`KXG-26AUG102115: ${text}`)
  expect(prefixes).toEqual(['KXG-26AUG102115-'])
})
