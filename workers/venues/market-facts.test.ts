// The settlement of a market is reported in the same words for both venues.

import { expect, test } from 'bun:test'
import { MEANINGS } from '../venues.ts'

test.each([
  [{ result: 'yes', settlement_value_dollars: '1.0000' }, 'yes', 1],
  [{ result: 'no', settlement_value_dollars: '0.0000' }, 'no', 0],
  [{ result: 'scalar', settlement_value_dollars: '0.5000' }, 'split', 0.5],
  [{ result: 'scalar', settlement_value_dollars: '0.3725' }, 'split', 0.3725],
  [{ result: 'scalar' }, 'split', null],
  [{ result: '', settlement_value_dollars: '0.0000' }, null, null],
])('Kalshi: %j', (document, result, settlementValue) => {
  expect(MEANINGS.kalshi.metadata.facts(document)).toMatchObject({ result, settlementValue })
})

test.each([
  ['["1", "0"]', true, 'Up', 1],
  ['["0", "1"]', true, 'Down', 0],
  ['["0.5", "0.5"]', true, 'split', 0.5],
  ['["0.9995", "0.0005"]', true, null, null],
  ['["0.5", "0.5"]', false, null, null],
])('Polymarket: prices %s, closed %p', (outcomePrices, closed, result, settlementValue) => {
  const document = { outcomes: '["Up", "Down"]', outcomePrices, closed }
  expect(MEANINGS.polymarket.metadata.facts(document)).toMatchObject({ result, settlementValue })
})

test.each([
  [{ strike_type: 'greater_or_equal', floor_strike: 4128.56, cap_strike: null }, 4128.56, 'greater_or_equal'],
  [{ strike_type: 'less', cap_strike: '50.5' }, 50.5, 'less'],
  [{ strike_type: 'between', floor_strike: 0, cap_strike: 10 }, 0, 'between'],
  [{ strike_type: 'structured', custom_strike: { team: 'a' } }, null, 'structured'],
  [{ floor_strike: '', yes_sub_title: 'Target price: TBD' }, null, null],
])('Kalshi: the strike of %j', (document, strike, strikeKind) => {
  expect(MEANINGS.kalshi.metadata.facts(document)).toMatchObject({ strike, strikeKind })
})

test.each([
  [{ eventMetadata: { priceToBeat: 65617.7437, finalPrice: 65620 } }, 65617.7437],
  [{ eventMetadata: { context_description: 'It is hot' } }, null],
  [{ eventMetadata: null }, null],
  [undefined, null],
])('Polymarket: the strike of the event %j', (event, strike) => {
  expect(MEANINGS.polymarket.metadata.facts({ priceToBeat: 1 }, event)).toMatchObject({ strike, strikeKind: null })
})
