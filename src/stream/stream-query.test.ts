// Tests the query of a stream: it sorts its markets and its channels.

import { expect, test } from 'bun:test'
import { CONDITION, fakeCatalogue, TICKER } from '../../test/support/server.ts'
import { assertKnown, CHANNELS_PARAMETER, streamQuery } from './stream-query.ts'

test('markets are sorted, channels are in the order of their messages', async () => {
  const markets = `polymarket:${CONDITION},kalshi:b,kalshi:A`
  expect(await streamQuery({ markets, channels: 'quotes,records' }, fakeCatalogue())).toEqual({
    markets: [
      { venue: 'kalshi', market: 'A' },
      { venue: 'kalshi', market: 'B' },
      { venue: 'polymarket', market: CONDITION },
    ],
    event: null,
    channels: ['records', 'quotes'],
  })
  const catalogue = fakeCatalogue({ event: async () => ({ id: 'E', title: null, markets: ['B', 'A'] }) })
  expect(await streamQuery({ event: 'kalshi:E', channels: 'book' }, catalogue)).toMatchObject({
    ...{ event: 'kalshi:E', markets: [{ market: 'A' }, { market: 'B' }], channels: ['book'] },
  })
})

test('a channel is named once, and is one of four', async () => {
  await expect(streamQuery({ markets: 'kalshi:A', channels: 'book,trades,book' }, fakeCatalogue())).rejects.toThrow(
    'channels must name each once, got "book" twice',
  )
  const takes = ['book', 'records,trades,book,quotes', '', 'books', 'book,'].map(CHANNELS_PARAMETER.matches)
  expect(takes).toEqual([true, true, false, false, false])
  expect(CHANNELS_PARAMETER.accepts).toContain('records, trades, book or quotes')
})

test('accepts a market that is stored or known from metadata, and any market while a recorder starts', async () => {
  const query = (market: string) => ({ markets: [{ venue: 'kalshi', market }], event: null, channels: [] }) as const
  const known = fakeCatalogue({ knownMarket: async (_, market) => (market === 'KNOWN' ? ({} as never) : undefined) })
  const no = () => false
  await assertKnown(query(TICKER), known, no)
  await assertKnown(query('KNOWN'), known, no)
  await assertKnown(query('NONE'), known, () => true)
  await expect(assertKnown(query('NONE'), known, no)).rejects.toMatchObject({
    ...{ code: 'market_not_stored', message: 'Nothing is stored or known of the kalshi market NONE' },
  })
})
