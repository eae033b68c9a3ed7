// The whole HTTP side, not listening: every route under both prefixes, and what all of them share.

import { Elysia } from 'elysia'
import type { Catalogue } from '../storage/catalogue.ts'
import type { Workers } from '../workers/requests.ts'
import type { Accounts } from './accounts/open-accounts.ts'
import type { Config } from './config.ts'
import { AnswerCache } from './http/answer-cache.ts'
import { doorway } from './http/doorway.ts'
import { type LogFailure, logFailure } from './http/failure-log.ts'
import { createGate, type Fetch, type Gate } from './http/gate.ts'
import type { ClientAddress } from './http/management-access.ts'
import { problems } from './http/problem.ts'
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
import { statsRoutes } from './routes/stats.ts'
import { stripeWebhookRoutes } from './routes/stripe-webhook.ts'
import { subscriptionRoutes } from './routes/subscriptions.ts'
import { usageRoutes } from './routes/usage.ts'
import { userRequestRoutes } from './routes/user-requests.ts'
import { VERSION } from './version.ts'

export type AppDependencies = {
  catalogue: Catalogue
  workers: Pick<Workers, 'summary' | 'page' | 'figures'>
  accounts: Omit<Accounts, 'close' | 'setPlan' | 'unknownPlans'>
  config: Pick<Config, 'adminToken' | 'managementOpen' | 'monitoringToken' | 'answerCacheBytes' | 'corsOrigins'>
  /** Another gate than that of the accounts. */
  gate?: Gate
  /** Where requests come from; nobody counts as local without it. */
  clientAddress?: ClientAddress
  askForSlug?: AskForSlug
  nowMs?: () => number
  log?: LogFailure
}

const PREFIXES = ['', '/api/v1']

export function createApp(dependencies: AppDependencies): { fetch: Fetch } {
  // Elysia looks for the path behind the host, and skips four characters of it unless told that hosts may be short.
  const app = new Elysia({ normalize: false, handler: { standardHostname: false } })
  const { gate = createGate(dependencies.accounts) } = dependencies
  const routes: RouteTable = routeTable(() => app.routes)
  app.use(problems(routes, dependencies.log ?? logFailure))
  const cache = new AnswerCache(dependencies.config.answerCacheBytes)
  for (const prefix of PREFIXES) app.use(prefixed(prefix, dependencies, { gated: gate.group(), cache }))
  app.use(docsRoutes(() => app.routes))
  return { fetch: doorway(routes, dependencies.config.corsOrigins, gate.around(app.fetch)) }
}

/** What the endpoints of both prefixes share. */
type Shared = { gated: Elysia; cache: AnswerCache }

function prefixed(prefix: string, dependencies: AppDependencies, shared: Shared) {
  const { catalogue, workers, accounts, config } = dependencies
  const nowMs = dependencies.nowMs ?? Date.now
  const startedMs = nowMs()
  const service = { version: VERSION, uptimeSeconds: () => Math.floor((nowMs() - startedMs) / 1000) }
  const access = { adminToken: config.adminToken, open: config.managementOpen }
  const management = { accounts, access, clientAddress: dependencies.clientAddress ?? (() => null), nowMs }
  return new Elysia({ prefix })
    .use(marketRoutes(dependencies, shared, nowMs))
    .use(singleValues())
    .use(lookupRoutes({ catalogue, askForSlug: dependencies.askForSlug ?? (async () => undefined) }))
    .use(keyRoutes(management))
    .use(usageRoutes(management))
    .use(userRequestRoutes(management))
    .use(statsRoutes(management))
    .use(subscriptionRoutes(management))
    .use(stripeWebhookRoutes(accounts))
    .use(healthRoutes({ catalogue, ...service }))
    .use(monitoringRoutes({ catalogue, workers, accounts, monitoringToken: config.monitoringToken, nowMs, ...service }))
}

/** The endpoints that need a key. */
const marketRoutes = (
  { catalogue, workers, log = logFailure }: AppDependencies,
  { gated, cache }: Shared,
  nowMs: () => number,
) =>
  new Elysia()
    .use(gated)
    .use(singleValues())
    .use(orderBookSummaryRoutes({ catalogue, workers, cache, nowMs, log }))
    .use(marketDataRoutes({ catalogue, workers, nowMs, log }))
    .use(marketDataRangeRoutes({ catalogue, workers, nowMs, log }))
    .use(marketListRoutes({ catalogue }))
    .use(dateRangeRoutes({ catalogue }))
    .use(coverageRoutes({ catalogue }))
