// The whole HTTP side, not listening: every route under both prefixes, and what all of them share.

import { Elysia } from 'elysia'
import type { Catalogue } from '../storage/catalogue.ts'
import type { Workers } from '../workers/requests.ts'
import type { Accounts } from './accounts/open-accounts.ts'
import type { Config } from './config.ts'
import { bearer } from './http/bearer.ts'
import { type LogFailure, logFailure } from './http/failure-log.ts'
import type { ClientAddress } from './http/management-access.ts'
import { problems } from './http/problem.ts'
import { requestGuards } from './http/request-guards.ts'
import { requestIds } from './http/request-id.ts'
import { type RouteTable, routeTable } from './http/route-table.ts'
import { singleValues } from './http/single-values.ts'
import { coverageRoutes } from './routes/coverage.ts'
import { dateRangeRoutes } from './routes/date-range.ts'
import { docsRoutes } from './routes/docs.ts'
import { healthRoutes } from './routes/health.ts'
import { keyRoutes } from './routes/keys.ts'
import { type AskForSlug, lookupRoutes } from './routes/lookup.ts'
import { marketDataRoutes } from './routes/market-data.ts'
import { marketDataRangeRoutes } from './routes/market-data-range.ts'
import { marketListRoutes } from './routes/market-list.ts'
import { monitoringRoutes } from './routes/monitoring.ts'
import { orderBookSummaryRoutes } from './routes/order-book-summary.ts'
import { VERSION } from './version.ts'

export type AppDependencies = {
  catalogue: Catalogue
  workers: Pick<Workers, 'summary' | 'page' | 'figures'>
  accounts: Pick<Accounts, 'authenticate' | 'createKey' | 'check'>
  config: Pick<Config, 'adminToken' | 'managementOpen' | 'monitoringToken'>
  /** Where requests come from; nobody counts as local without it. */
  clientAddress?: ClientAddress
  askForSlug?: AskForSlug
  nowMs?: () => number
  log?: LogFailure
}

const PREFIXES = ['', '/api/v1']

export function createApp(dependencies: AppDependencies) {
  // Elysia looks for the path behind the host, and skips four characters of it unless told that hosts may be short.
  const app = new Elysia({ normalize: false, handler: { standardHostname: false } })
  const routes: RouteTable = routeTable(() => app.routes)
  app
    .use(requestIds())
    .use(requestGuards())
    .use(problems(routes, dependencies.log ?? logFailure))
    .use(singleValues())
  for (const prefix of PREFIXES) app.use(prefixed(prefix, dependencies))
  return app.use(docsRoutes(() => app.routes))
}

function prefixed(prefix: string, dependencies: AppDependencies) {
  const { catalogue, workers, accounts, config } = dependencies
  const nowMs = dependencies.nowMs ?? Date.now
  const startedMs = nowMs()
  const service = { version: VERSION, uptimeSeconds: () => Math.floor((nowMs() - startedMs) / 1000) }
  const access = { adminToken: config.adminToken, open: config.managementOpen }
  return new Elysia({ prefix })
    .use(marketRoutes(dependencies, nowMs))
    .use(lookupRoutes({ catalogue, askForSlug: dependencies.askForSlug ?? (async () => undefined) }))
    .use(keyRoutes({ accounts, access, clientAddress: dependencies.clientAddress ?? (() => null) }))
    .use(healthRoutes({ catalogue, ...service }))
    .use(monitoringRoutes({ catalogue, workers, accounts, monitoringToken: config.monitoringToken, nowMs, ...service }))
}

/** The endpoints that need a key. */
const marketRoutes = ({ catalogue, workers, accounts, log = logFailure }: AppDependencies, nowMs: () => number) =>
  new Elysia()
    .use(bearer((secret) => accounts.authenticate(secret)))
    .use(orderBookSummaryRoutes({ catalogue, workers, nowMs, log }))
    .use(marketDataRoutes({ catalogue, workers, log }))
    .use(marketDataRangeRoutes({ catalogue, workers, log }))
    .use(marketListRoutes({ catalogue }))
    .use(dateRangeRoutes({ catalogue }))
    .use(coverageRoutes({ catalogue }))
