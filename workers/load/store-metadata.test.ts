// Documents of the venues are stored as metadata, Gamma's slugs for the lookup. Other documents are skipped.

import { expect, test } from 'bun:test'
import { metadataIn, namesIn } from '../metadata/venue-metadata.ts'
import { gammaAnswers, storeMetadata } from './store-metadata.ts'

const CONDITION = `0x${'1a'.repeat(32)}`
const GAMMA = {
  ...{ conditionId: CONDITION, question: 'Will it rain?', slug: 'will-it-rain', updatedAt: '2026-07-20T19:07:07.78Z' },
  ...{ outcomes: '["Yes", "No"]', clobTokenIds: '["11", "22"]', events: [{ slug: 'weather', title: 'Weather' }] },
}
const KALSHI = {
  ticker: 'KXRAIN-26',
  event_ticker: 'KXRAIN',
  title: 'Rain?',
  yes_sub_title: 'Yes',
  updated_time: '2026-07-20T10:00:00Z',
}

test('finds the market or event that each document describes', async () => {
  const puts: [string, unknown][] = []
  const catalogue = {
    putSlugs: async (slugs: unknown) => void puts.push(['slugs', slugs]),
    putMetadata: async (metadata: unknown, ms: number) => void puts.push([`metadata ${ms}`, metadata]),
  }
  const names = await storeMetadata(catalogue as never, [GAMMA, 7, { x: 1 }, KALSHI], 17)
  expect(names).toEqual(expect.arrayContaining([`market polymarket ${CONDITION}`, 'market kalshi KXRAIN-26']))
  const metadata = metadataIn([GAMMA, KALSHI])
  expect(puts).toEqual([
    ['slugs', gammaAnswers([GAMMA])],
    ['metadata 17', metadata],
  ])
  expect(namesIn(metadata)).toEqual(names)
  expect(gammaAnswers([GAMMA, KALSHI]).markets).toHaveLength(1)
})

test('nothing is stored of other documents', async () =>
  expect(await storeMetadata({} as never, [{ x: 1 }, null], 17)).toEqual([]))
