// The check that a market is stored.

import { expect, test } from 'bun:test'
import { assertStored } from '../../../../src/http/parameters/stored-market.ts'
import { MOUNTS } from '../../../../src/http/parameters/venue-parameters.ts'
import { fakeCatalogue, TICKER } from '../../../support/server.ts'

const [, { parameters: kalshi }] = MOUNTS

test('a stored market passes, another is a DataError that names it', async () => {
  await assertStored(fakeCatalogue(), kalshi, TICKER)
  expect(assertStored(fakeCatalogue(), kalshi, 'NONE')).rejects.toThrow('kalshi market with ticker NONE')
})
