// Tests the catalogue entry of the event, read as a client of Gamma reads it.

import { expect, test } from 'bun:test'
import { gammaEvent } from './gamma-event.ts'
import { polymarketEventPlan } from './polymarket-event.ts'

test('gammaEvent returns the markets of the plan, with lists as JSON in strings', () => {
  const plan = polymarketEventPlan('2026-07-20', 1)
  const event = JSON.parse(JSON.stringify(gammaEvent(plan, '2026-07-20')))
  expect(event).toMatchObject({ slug: plan.slug, title: plan.title, negRisk: true, startDate: '2026-07-17T00:00:00Z' })
  expect(event.markets).toHaveLength(plan.markets.length)
  plan.markets.forEach((market, index) => {
    const listed = event.markets[index]
    expect(listed).toMatchObject({ conditionId: market.conditionId, slug: market.slug, question: market.question })
    expect(listed).toMatchObject({ orderMinSize: 5, orderPriceMinTickSize: market.tickMilli / 1_000, negRisk: true })
    expect(JSON.parse(listed.clobTokenIds)).toEqual(market.assetIds)
    expect(JSON.parse(listed.outcomes)).toEqual(['Yes', 'No'])
    const [yes, no] = JSON.parse(listed.outcomePrices).map(Number)
    expect(yes + no).toBeCloseTo(1)
  })
})
