// Goal: what a market paid is told in the same words for both venues.

import { expect, test } from 'bun:test'
import { marketFacts } from '../../../workers/metadata/market-facts.ts'

test.each([
  [{ result: 'yes', settlement_value_dollars: '1.0000' }, 'yes', 1],
  [{ result: 'no', settlement_value_dollars: '0.0000' }, 'no', 0],
  [{ result: 'scalar', settlement_value_dollars: '0.5000' }, 'split', 0.5],
  [{ result: 'scalar', settlement_value_dollars: '0.3725' }, 'split', 0.3725],
  [{ result: 'scalar' }, 'split', null],
  [{ result: '', settlement_value_dollars: '0.0000' }, null, null],
])('Kalshi: %j', (said, result, settlementValue) => {
  expect(marketFacts('kalshi', said)).toMatchObject({ result, settlementValue })
})

test.each([
  ['["1", "0"]', true, 'Up', 1],
  ['["0", "1"]', true, 'Down', 0],
  ['["0.5", "0.5"]', true, 'split', 0.5],
  ['["0.9995", "0.0005"]', true, null, null],
  ['["0.5", "0.5"]', false, null, null],
])('Polymarket: prices %s, closed %p', (outcomePrices, closed, result, settlementValue) => {
  const said = { outcomes: '["Up", "Down"]', outcomePrices, closed }
  expect(marketFacts('polymarket', said)).toMatchObject({ result, settlementValue })
})
