// Tests the event that is generated for a day.

import { expect, test } from 'bun:test'
import { polymarketEventPlan } from './polymarket-event.ts'

test('polymarketEventPlan has identifiers of the forms of the venue, all different', () => {
  for (let seed = 0; seed < 50; seed++) {
    const { markets } = polymarketEventPlan('2026-07-20', seed)
    for (const { conditionId, assetIds } of markets) {
      expect(conditionId).toMatch(/^0x[0-9a-f]{64}$/)
      for (const id of assetIds) {
        expect(id).toMatch(/^\d{78}$/)
        expect(BigInt(id) < 2n ** 256n).toBe(true)
      }
    }
    expect(new Set(markets.flatMap(({ conditionId, assetIds }) => [conditionId, ...assetIds])).size).toBe(9)
  }
})

test('polymarketEventPlan has slugs that are valid in a URL', () => {
  const { slug, markets } = polymarketEventPlan('2026-07-20', 1)
  expect(slug).toBe('demo-highest-temperature-in-springfield-on-july-20-2026')
  expect(markets.map((market) => market.slug)).toEqual([
    `${slug}-80-84f`,
    `${slug}-85f-or-higher`,
    `${slug}-79f-or-below`,
  ])
})

test('polymarketEventPlan spends all messages, and its prices add up to about a dollar', () => {
  const { markets } = polymarketEventPlan('2026-07-20', 1)
  const sum = (values: number[]) => values.reduce((total, value) => total + value)
  expect(sum(markets.map(({ share }) => share))).toBeCloseTo(1)
  expect(sum(markets.map(({ path }) => path.fromMilli))).toBe(1_000)
  expect(sum(markets.map(({ path }) => path.toMilli))).toBeWithin(990, 1_010)
})
