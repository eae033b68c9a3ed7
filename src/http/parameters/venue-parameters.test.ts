// Tests the table of parameters that differ between the venues.

import { expect, test } from 'bun:test'
import { DATA_MOUNTS, PARAMETERS, querySchema } from './venue-parameters.ts'

const { polymarket, kalshi } = PARAMETERS

test('ids are normalized as the contract says', () => {
  expect(polymarket.normalizeId(`0X${'AB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`)
  expect(polymarket.normalizeId('AB'.repeat(32))).toBe(`0x${'ab'.repeat(32)}`)
  expect(kalshi.normalizeId('kxTest-1.5_a')).toBe('KXTEST-1.5_A')
})

test('the unprefixed mount is Polymarket', () =>
  expect(DATA_MOUNTS.map(({ path, parameters }) => [path, parameters.venue])).toEqual([
    ['/polymarket', 'polymarket'],
    ['/kalshi', 'kalshi'],
    ['', 'polymarket'],
  ]))

test('a query takes the id parameter of its venue', () => {
  const names = (parameters: typeof kalshi) => {
    const schema = querySchema(parameters, { required: ['market'], optional: ['limit'] })
    return [Object.keys(schema['properties']), schema['required']]
  }
  expect(names(polymarket)).toEqual([['condition_id', 'limit'], ['condition_id']])
  expect(names(kalshi)).toEqual([['ticker', 'limit'], ['ticker']])
})
