// Tests which venue a route belongs to, and whether its requests are billed.

import { expect, test } from 'bun:test'
import type { TObject } from '@sinclair/typebox'
import { assertQuery } from '../../http/parameters/assert-query.ts'
import { patternText, utcDay, wholeNumber } from '../../http/parameters/parameter.ts'
import { querySchema } from '../../http/parameters/venue-parameters.ts'
import type { FileQuestion, Question } from '../question.ts'
import { marketEndpoint, mayNeedKey } from './market-endpoint.ts'

test.each([
  ['/kalshi/market/data', 'kalshi', true],
  ['/api/v1/kalshi/market/data/range', 'kalshi', true],
  ['/api/v1/polymarket/market/list', 'polymarket', true],
  ['/market/orderbook-summary', 'polymarket', true],
  ['/api/v1/market/data', 'polymarket', true],
  ['/api/v1/kalshi/market/coverage', 'kalshi', false],
  ['/polymarket/market/coverage', 'polymarket', false],
  ['/kalshi/market/book', 'kalshi', false],
  ['/kalshi/market/book/changes', 'kalshi', false],
  ['/polymarket/market/depth-map', 'polymarket', false],
  ['/polymarket/markets/book', 'polymarket', true],
  ['/kalshi/market/depth-summary', 'kalshi', true],
])('%s', (route, venue, isBillable) => {
  const endpoint = marketEndpoint(route)
  expect([endpoint.parameters.venue, endpoint.isBillable]).toEqual([venue, isBillable] as never)
})

test('a question declares parameters of its own, and values in its path', () => {
  const question: FileQuestion<'bands'> = {
    kind: 'file',
    path: '/files/:day',
    inPath: () => ({ day: utcDay() }),
    parameters: () => ({
      required: ['market'],
      optional: ['bands', 'limit'],
      own: { bands: patternText(/^[0-9.,]+$/, 'numbers'), limit: wholeNumber({ min: 1, max: 3 }) },
    }),
    about: () => ({ id: 'x', summary: 'x', answer: () => ({ description: 'x', schema: utcDay(), example: 'x' }) }),
    respond: async (_, { query, inPath }) => new Response(`${query.bands} ${inPath?.['day']}`),
  }
  const listed: readonly Question[] = [question]
  const { parameters } = marketEndpoint('/kalshi/market/data')
  const schema = querySchema(parameters, listed[0]!.parameters(parameters)) as unknown as TObject
  expect(Object.keys(schema.properties)).toEqual(['ticker', 'bands', 'limit'])
  expect(() => assertQuery(schema, { ticker: 'A', bands: 'x' })).toThrow('bands must be numbers, got "x"')
  expect(() => assertQuery(schema, { ticker: 'A', limit: '4' })).toThrow('limit must be a whole number from 1 to 3')
})

test('every path that may be a question needs a key, and no other path does', () => {
  expect(['/kalshi/market/data', '/api/v1/market/x', '/market'].map(mayNeedKey)).toEqual([true, true, true])
  expect(['/docs/markets', '/health', '/marketing'].map(mayNeedKey)).toEqual([false, false, false])
})
