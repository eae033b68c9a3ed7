// Serves the two smallest queries with Elysia alone: the same paths, the same query schema, and constant answers of the
// same form.

import { Elysia } from 'elysia'
import { MOUNTS, marketOf, querySchema } from '../../src/http/parameters/venue-parameters.ts'

const { parameters } = MOUNTS.find(({ path }) => path === '/kalshi')!
const app = new Elysia({ normalize: false })
  .get('/health', () => ({ status: 'ok', version: '0.0.0', uptime_seconds: 1 }))
  .get(
    '/api/v1/kalshi/market/date-range',
    ({ query }) => ({
      market_ticker: marketOf(parameters, query),
      has_data: true,
      start_date: '2026-07-20',
      end_date: '2026-07-20',
      available_date_count: 1,
    }),
    { query: querySchema(parameters, { required: ['market'], optional: [] }) },
  )
const server = Bun.serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 })
process.stdout.write(`listening on http://127.0.0.1:${server.port}\n`)
