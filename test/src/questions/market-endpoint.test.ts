// Which venue a route is of, and what counts.

import { expect, test } from 'bun:test'
import { marketEndpoint } from '../../../src/questions/market-endpoint.ts'

test.each([
  ['/kalshi/market/data', 'kalshi', true],
  ['/api/v1/kalshi/market/data/range', 'kalshi', true],
  ['/api/v1/polymarket/market/list', 'polymarket', true],
  ['/market/orderbook-summary', 'polymarket', true],
  ['/api/v1/market/data', 'polymarket', true],
  ['/api/v1/kalshi/market/coverage', 'kalshi', false],
  ['/polymarket/market/coverage', 'polymarket', false],
])('%s', (route, venue, isBillable) => {
  const endpoint = marketEndpoint(route)
  expect([endpoint.parameters.venue, endpoint.isBillable]).toEqual([venue, isBillable] as never)
})
