// The form of a document shows its venue.

import { expect, test } from 'bun:test'
import { metadataIn, metadataMeaning, namesIn } from './venue-metadata.ts'

const gamma = {
  conditionId: `0x${'1a'.repeat(32)}`,
  question: 'Q',
  slug: 'q',
  clobTokenIds: '["11", "22"]',
  outcomes: '["Yes", "No"]',
}
const kalshi = { ticker: 'KXRAIN-26', event_ticker: 'KXRAIN', title: 'Rain?', yes_sub_title: 'Yes' }

test('documents of both venues, in order; others are skipped', () => {
  expect([gamma, kalshi, {}, { title: 'x' }].map((each) => metadataMeaning(each) !== undefined)).toEqual([
    ...[true, true, false, false],
  ])
  const { markets } = metadataIn([kalshi, { title: 'x' }, gamma])
  expect(markets.map(({ venue, market }) => [venue, market])).toEqual([
    ['kalshi', 'KXRAIN-26'],
    ['polymarket', gamma.conditionId],
  ])
})

test('names of markets, then of events', () => {
  const named = namesIn({
    markets: [{ venue: 'kalshi', market: 'KX' }],
    events: [{ venue: 'kalshi', event: 'E' }],
  } as never)
  expect(named).toEqual(['market kalshi KX', 'event kalshi E'])
})
