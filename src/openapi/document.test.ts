// Tests that the OpenAPI document is valid and complete. true-answers.test.ts tests that the document is true.

import { beforeAll, expect, test } from 'bun:test'
import SwaggerParser from '@apidevtools/swagger-parser'
import Ajv from 'ajv'
import addFormats from 'ajv-formats'
import { ask, testApp } from '../../test/support/server.ts'
import type { JsonSchema, OpenApiDocument, Operation } from './document.ts'

let document: OpenApiDocument
let operations: { path: string; method: string; operation: Operation }[]

beforeAll(async () => {
  document = (await ask(testApp(), '/docs/json', { headers: {} })).body as OpenApiDocument
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
})

test('it is valid OpenAPI 3.0, by its published schema and by the rules that the schema cannot say', async () => {
  const validated = await SwaggerParser.validate(structuredClone(document) as never)
  expect((validated as { openapi?: string }).openapi).toBe('3.0.3')
})

/** Generated clients name their functions after these ids: a removed or renamed id breaks them. */
const OPERATIONS = {
  polymarketOrderbookSummary: 'get /polymarket/market/orderbook-summary',
  polymarketOrderbookSummaryOfMany: 'get /polymarket/markets/orderbook-summary',
  polymarketTrades: 'get /polymarket/market/trades',
  polymarketTradeSummary: 'get /polymarket/market/trade-summary',
  polymarketBook: 'get /polymarket/market/book',
  polymarketBookOfMany: 'get /polymarket/markets/book',
  polymarketBookChanges: 'get /polymarket/market/book/changes',
  polymarketTradeSummaryOfMany: 'get /polymarket/markets/trade-summary',
  polymarketDepthSummary: 'get /polymarket/market/depth-summary',
  polymarketDepthMap: 'get /polymarket/market/depth-map',
  polymarketDepthSummaryOfMany: 'get /polymarket/markets/depth-summary',
  polymarketMarketData: 'get /polymarket/market/data',
  polymarketMarketDataRange: 'get /polymarket/market/data/range',
  polymarketMarketList: 'get /polymarket/market/list',
  polymarketDateRange: 'get /polymarket/market/date-range',
  polymarketCoverage: 'get /polymarket/market/coverage',
  kalshiOrderbookSummary: 'get /kalshi/market/orderbook-summary',
  kalshiOrderbookSummaryOfMany: 'get /kalshi/markets/orderbook-summary',
  kalshiTrades: 'get /kalshi/market/trades',
  kalshiTradeSummary: 'get /kalshi/market/trade-summary',
  kalshiBook: 'get /kalshi/market/book',
  kalshiBookOfMany: 'get /kalshi/markets/book',
  kalshiBookChanges: 'get /kalshi/market/book/changes',
  kalshiTradeSummaryOfMany: 'get /kalshi/markets/trade-summary',
  kalshiDepthSummary: 'get /kalshi/market/depth-summary',
  kalshiDepthMap: 'get /kalshi/market/depth-map',
  kalshiDepthSummaryOfMany: 'get /kalshi/markets/depth-summary',
  kalshiMarketData: 'get /kalshi/market/data',
  kalshiMarketDataRange: 'get /kalshi/market/data/range',
  kalshiMarketList: 'get /kalshi/market/list',
  kalshiDateRange: 'get /kalshi/market/date-range',
  kalshiCoverage: 'get /kalshi/market/coverage',
  polymarketMarketInfo: 'get /polymarket/market/info',
  polymarketCalendar: 'get /polymarket/calendar',
  polymarketActiveMarkets: 'get /polymarket/markets/active',
  polymarketSeries: 'get /polymarket/series',
  polymarketEvents: 'get /polymarket/events',
  kalshiMarketInfo: 'get /kalshi/market/info',
  kalshiCalendar: 'get /kalshi/calendar',
  kalshiActiveMarkets: 'get /kalshi/markets/active',
  kalshiSeries: 'get /kalshi/series',
  kalshiEvents: 'get /kalshi/events',
  polymarketFiles: 'get /polymarket/files',
  polymarketFile: 'get /polymarket/files/{date}/{market}/{name}',
  kalshiFiles: 'get /kalshi/files',
  kalshiFile: 'get /kalshi/files/{date}/{market}/{name}',
  createDownloadTicket: 'post /download-tickets',
  search: 'get /search',
  lookupSlug: 'get /lookup/slug',
  createKey: 'post /keys',
  listKeys: 'get /keys',
  revokeKey: 'delete /keys/{key_id}',
  rotateKey: 'post /keys/{key_id}/rotate',
  keyLastUsed: 'get /keys/{key_id}/last-used',
  keyName: 'get /keys/{key_id}/name',
  usage: 'get /usage',
  replayKalshi: 'get /replay/kalshi/trade-api/ws/v2',
  replayPolymarket: 'get /replay/polymarket/ws/market',
  replayRecords: 'get /replay',
  requestCount: 'get /user/{user_id}/requests/count',
  requestCountByHour: 'get /user/{user_id}/requests/count/timeframe',
  recentRequests: 'get /user/{user_id}/requests/recent',
  stats: 'get /stats',
  stream: 'get /stream',
  popularMarkets: 'get /stats/popular-markets',
  createCheckout: 'post /subscriptions/checkout',
  createPortal: 'post /subscriptions/portal',
  subscriptionStatus: 'get /subscriptions/status',
  stripeWebhook: 'post /webhooks/stripe',
  health: 'get /health',
  ready: 'get /ready',
  monitoringStatus: 'get /monitoring/status',
  monitoringHistory: 'get /monitoring/history',
  metrics: 'get /metrics',
}

test('every endpoint is there once, under an id of its own', () => {
  const ids = operations.map(({ path, method, operation }) => [operation.operationId, `${method} ${path}`])
  expect(ids).toHaveLength(new Set(ids.map(([id]) => id)).size)
  expect(Object.fromEntries(ids)).toEqual(OPERATIONS)
})

test('an endpoint names its other path', () => {
  const words = (path: string) => document.paths[path]?.['get']?.description
  for (const path of ['/market/orderbook-summary', '/market/data', '/market/data/range']) {
    expect(words(`/polymarket${path}`)).toEndWith(`Also at \`${path}\`.`)
    expect(words(`/kalshi${path}`)).not.toContain('Also at')
  }
  expect(words('/lookup/slug')).toEndWith('Also at `/polymarket/lookup/slug`.')
  expect(document.servers.map(({ url }) => url)).toEqual(['/api/v1', '/'])
})

test('every endpoint declares which key it requires', () => {
  const wanted = ({ path }: { path: string }) => {
    if (
      /\/markets?\/|\/(?:calendar|series|events)$|\/files|^\/search$|^\/download-tickets$|^\/(?:replay|stream)\b/.test(
        path,
      )
    )
      return [{ apiKey: [] }]
    if (/^\/(?:keys|usage|user|stats|subscriptions)\b/.test(path)) return [{ adminToken: [] }, {}]
    return path === '/monitoring/status' || path === '/metrics' ? [{ monitoringToken: [] }, {}] : []
  }
  for (const each of operations) expect([each.path, each.operation.security]).toEqual([each.path, wanted(each)])
})

test('every parameter has a description and its accepted values, and a required one has an example', () => {
  for (const { path, operation } of operations) {
    for (const { name, in: place, description, required, schema } of operation.parameters ?? []) {
      const where = `${name} of ${path}`
      if (place !== 'header')
        expect([where, description]).toEqual([where, expect.stringMatching(/\S+\. Accepted: \S+/)])
      if (required) expect([where, schema.example]).toEqual([where, expect.anything()])
    }
  }
  const { parameters } = document.paths['/kalshi/market/orderbook-summary']!['get']!
  expect(parameters?.find(({ name }) => name === 'resolution')).toMatchObject({
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 3600, default: 60 },
  })
})

test('every field of every answer is described', () => {
  const undescribed = (schema: JsonSchema, where: string): string[] =>
    Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
      ...(field.description === undefined && field.$ref === undefined ? [`${where}.${name}`] : []),
      ...undescribed(field, `${where}.${name}`),
      ...undescribed(field.items ?? {}, `${where}.${name}[]`),
    ])
  const nested = ['CreatedKey.data']
  const left = Object.entries(document.components.schemas).flatMap(([name, schema]) => undescribed(schema, name))
  expect(left.filter((name) => !nested.includes(name))).toEqual([])
})

test('the example of every field is a value that the field allows', () => {
  const ajv = addFormats(new Ajv({ strict: false }))
  const checked = (schema: JsonSchema, where: string): string[] => {
    if (schema.example !== undefined) expect([where, ajv.validate(schema, schema.example)]).toEqual([where, true])
    const within = Object.entries({ ...schema.properties, ...(schema.items && { '[]': schema.items }) })
    const names = within.flatMap(([name, field]) => checked(field, `${where}.${name}`))
    return schema.example === undefined ? names : [where, ...names]
  }
  const { schemas } = document.components
  expect(Object.entries(schemas).flatMap(([name, schema]) => checked(schema, name)).length).toBeGreaterThan(200)
})

test('distinguishes an optional body from a required one', () => {
  expect(document.paths['/keys']?.['post']?.requestBody?.required).toBe(false)
  expect(document.paths['/subscriptions/checkout']?.['post']?.requestBody?.required).toBe(true)
  expect(Object.keys(document.paths['/keys']?.['post']?.requestBody?.content ?? {})).toEqual(['application/json'])
})
