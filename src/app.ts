// The whole HTTP side without a listening socket: every route under both prefixes, and what they share.

import { Elysia } from 'elysia'
import type { Catalogue } from '../storage/catalogue.ts'
import type { Workers } from '../workers/requests.ts'
import type { Accounts } from './accounts/open-accounts.ts'
import type { Config } from './config/config.ts'
import { DayFiles } from './day-files/day-files.ts'
import { type DownloadTickets, downloadTickets, processSecret } from './http/access/download-ticket.ts'
import { management } from './http/access/management.ts'
import { type ClientAddress, isLocalClient } from './http/access/management-access.ts'
import { createRequireKey, type RequireKey } from './http/access/require-key.ts'
import { AnswerCache } from './http/answers/answer-cache.ts'
import { storeSecret } from './http/answers/entity-tag.ts'
import { edgeHandler } from './http/edge-handler.ts'
import { singleValues } from './http/parameters/single-values.ts'
import { PARAMETERS } from './http/parameters/venue-parameters.ts'
import { problems } from './http/problem/problem.ts'
import type { LogFailure } from './http/server/failure-log.ts'
import type { Fetch } from './http/server/fetch.ts'
import { pathPattern, type RouteTable, routeTable } from './http/server/route-table.ts'
import { OpenConnections } from './http/sockets/open-connections.ts'
import type { SocketEndpoint } from './http/sockets/socket.ts'
import { KEY_PARAMETER, socketRoutes } from './http/sockets/socket-routes.ts'
import type { Observe } from './observe/observe.ts'
import { EngineProbe } from './observe/stats/engine-probe.ts'
import { RequestStats } from './observe/stats/request-stats.ts'
import type { ServiceSources } from './observe/stats/service-reading.ts'
import { TaskStats } from './observe/stats/task-stats.ts'
import { RequestWatch } from './observe/watch-requests.ts'
import { isDataPath, isStreamed, marketEndpoint, mayNeedKey } from './questions/routes/market-endpoint.ts'
import { questionRoutes } from './questions/routes/question-routes.ts'
import { replayEndpoints } from './replay-endpoints.ts'
import { docsRoutes } from './routes/docs.ts'
import { downloadTicketRoutes } from './routes/download-tickets.ts'
import { explorerRoutes } from './routes/explorer.ts'
import { healthRoutes } from './routes/health.ts'
import { keyRoutes } from './routes/keys.ts'
import { type AskForSlug, lookupRoutes } from './routes/lookup.ts'
import { metricsRoutes } from './routes/metrics.ts'
import { monitoringRoutes } from './routes/monitoring.ts'
import { monitoringHistoryRoutes } from './routes/monitoring-history.ts'
import { readyRoutes } from './routes/ready.ts'
import { statsRoutes } from './routes/stats.ts'
import { stripeWebhookRoutes } from './routes/stripe-webhook.ts'
import { subscriptionRoutes } from './routes/subscriptions.ts'
import { usageRoutes } from './routes/usage.ts'
import { userRequestRoutes } from './routes/user-requests.ts'
import { recorderStart } from './stream/recorder-start.ts'
import { streamEndpoint } from './stream/stream-endpoint.ts'
import { StreamHub } from './stream/stream-hub.ts'
import { VERSION } from './version.ts'

/** Greatest number of bytes that may wait for a subscriber of a stream. A subscriber that is too slow for this limit is
 *  disconnected. */
const STREAM_WAITING_BYTES = 2 ** 20

export type AppDependencies = {
  catalogue: Catalogue
  workers: Pick<Workers, 'ask' | 'stats'>
  accounts: Omit<Accounts, 'close' | 'hasUser' | 'setPlan' | 'unknownPlans'>
  config: Config
  /** Replaces the check of the accounts' keys. */
  requireKey?: RequireKey
  /** Returns the client's address; if omitted, no client counts as local. */
  clientAddress?: ClientAddress
  askForSlug?: AskForSlug
  /** True if the server is about to stop and load balancers should send no more requests. */
  isDraining?: () => boolean
  /** True if a recorder is started with the server. */
  hasRecorder?: boolean
  /** Endpoints for WebSocket and server-sent events, in addition to the app's own. */
  sockets?: readonly SocketEndpoint[]
  nowMs?: () => number
  elapsedMs?: () => number
  log: LogFailure
  observe?: Observe
}

/** Longest wait for the accounts in a status check. */
const ACCOUNTS_MS_MAX = 1_000

const PREFIXES = ['', '/api/v1']

export function createApp(dependencies: AppDependencies): { fetch: Fetch; connections: OpenConnections } {
  // To find the path, Elysia looks for a slash after the first four characters of the host. This setting says that
  // hosts may be shorter.
  const app = new Elysia({ normalize: false, handler: { standardHostname: false } })
  const { authenticate, isActive, meter } = dependencies.accounts
  const secret = storeSecret(dependencies.catalogue)
  const streams = streamHub(dependencies)
  const sockets = socketsOf([
    streamEndpoint({ hub: streams, catalogue: dependencies.catalogue, secret, ...startOf(dependencies) }),
    ...replayEndpoints(dependencies),
    ...(dependencies.sockets ?? []),
  ])
  const requests = new RequestStats(
    () => app.routes,
    (route) => isStreamed(route) || sockets.isRoute(route),
  )
  const watch = new RequestWatch(requests, dependencies.observe)
  const needsNoKey = keylessClients(dependencies)
  // A backup contains the store's secret, so the owner of a backup could make tickets signed with it. Use that secret
  // only in a cluster, where all nodes must accept the same tickets.
  const ticketSecret = dependencies.config.cluster === null ? processSecret() : secret
  const tickets = downloadTickets(ticketSecret, dependencies.nowMs ?? Date.now)
  const keys = {
    ...{ authenticate, meter, tickets, needsNoKey },
    marketEndpoint: (route: string) => sockets.endpoint(route) ?? marketEndpoint(route),
    mayNeedKey: (pathname: string) => mayNeedKey(pathname) || sockets.isPath(pathname),
    keyParameter: (pathname: string) => (sockets.isPath(pathname) ? KEY_PARAMETER : null),
  }
  const { requireKey = createRequireKey({ ...keys, keyAccepted: watch.keyAccepted }) } = dependencies
  const routes: RouteTable = routeTable(() => app.routes)
  app.use(problems(routes, dependencies.log))
  const cache = new AnswerCache(dependencies.config.answerCacheBytes)
  const { connectionsMax, connectionsPerKeyMax } = dependencies.config
  const connections = new OpenConnections({ all: connectionsMax, perKey: connectionsPerKeyMax }, isActive)
  const sources = sourcesOf(dependencies, { requests, cache, connections, streams: streams.stats })
  const { catalogue, workers, config } = dependencies
  const dayFiles = new DayFiles({ catalogue, workers, data: config.data, bytesMax: config.dayFilesBytes })
  const shared = { cache, dayFiles, sources, tickets, requireKey, sockets, connections }
  for (const prefix of PREFIXES) app.use(prefixed(prefix, dependencies, { ...shared, keyed: requireKey.group() }))
  app.use(docsRoutes(() => app.routes))
  app.use(explorerRoutes())
  const fetch = watch.around(edgeHandler(routes, dependencies.config, requireKey.around(app.fetch)))
  return { fetch, connections }
}

const startOf = ({ observe, hasRecorder = false, nowMs = Date.now }: AppDependencies) => ({
  isRecorderStarting: recorderStart({ recorder: observe?.recorder ?? (() => null), hasRecorder, nowMs }),
})

const streamHub = ({ catalogue, workers, elapsedMs }: AppDependencies) =>
  new StreamHub({ catalogue, workers, waitingBytesMax: STREAM_WAITING_BYTES, ...(elapsedMs && { elapsedMs }) })

/** Returns the endpoints for WebSocket and server-sent events, with lookups by path and route. */
function socketsOf(endpoints: readonly SocketEndpoint[]) {
  const routes = new Map(
    PREFIXES.flatMap((prefix) => endpoints.map((each) => [`${prefix}${each.path}`, each] as const)),
  )
  const patterns = [...routes.keys()].map(pathPattern)
  return {
    endpoints,
    isRoute: (route: string) => routes.has(route),
    isPath: (pathname: string) => patterns.some((pattern) => pattern.test(pathname)),
    endpoint(route: string) {
      const venue = routes.get(route)?.venue
      if (venue === undefined) return undefined
      const parameters = venue === null ? null : PARAMETERS[venue]
      return { parameters, isBillable: true, isOfAllVenues: venue === null }
    },
  }
}

/** Returns the check for clients that need no key; undefined if every client needs one. */
function keylessClients({ config, clientAddress = () => null }: AppDependencies) {
  if (!config.localAccessOpen) return undefined
  return (request: Request) => isLocalClient(request, clientAddress(request))
}

/** Values that the endpoints of both prefixes share. */
type Shared = {
  keyed: Elysia
  cache: AnswerCache
  dayFiles: DayFiles
  sources: ServiceSources
  tickets: DownloadTickets
  requireKey: RequireKey
  sockets: ReturnType<typeof socketsOf>
  connections: OpenConnections
}

/** The sources of the status page and the metrics. */
function sourcesOf(
  {
    catalogue,
    workers,
    accounts,
    observe = {},
    nowMs = Date.now,
    elapsedMs = () => performance.now(),
  }: AppDependencies,
  own: Pick<ServiceSources, 'requests' | 'cache' | 'connections' | 'streams'>,
): ServiceSources {
  const startedMs = elapsedMs()
  const uptimeSeconds = () => Math.floor((elapsedMs() - startedMs) / 1000)
  const probe = new EngineProbe([{ name: 'accounts', ask: () => accounts.check() }], nowMs, ACCOUNTS_MS_MAX)
  const tasks = observe.tasks ?? new TaskStats()
  return { ...observe, version: VERSION, catalogue, workers, accounts, probe, ...own, tasks, uptimeSeconds, nowMs }
}

function prefixed(prefix: string, dependencies: AppDependencies, shared: Shared) {
  const { catalogue, accounts, config } = dependencies
  const { sources, sockets } = shared
  const { nowMs } = sources
  const { monitoringToken } = config
  const access = { adminToken: config.adminToken, open: config.managementOpen }
  const isOfData = (pathname: string) => isDataPath(pathname) || sockets.isPath(pathname)
  const managed = new Elysia()
    .use(management(access, dependencies.clientAddress ?? (() => null)))
    .use(keyRoutes({ accounts, nowMs }))
    .use(usageRoutes({ accounts }))
    .use(userRequestRoutes({ accounts }))
    .use(statsRoutes({ accounts }))
    .use(subscriptionRoutes({ accounts }))
  return new Elysia({ prefix })
    .use(marketRoutes(dependencies, shared, nowMs))
    .use(singleValues())
    .use(downloadTicketRoutes({ tickets: shared.tickets, authenticate: accounts.authenticate, isOfData }))
    .use(lookupRoutes({ catalogue, askForSlug: dependencies.askForSlug ?? (async () => undefined) }))
    .use(managed)
    .use(stripeWebhookRoutes(accounts))
    .use(healthRoutes(sources))
    .use(readyRoutes({ catalogue, engines: sources.engines, isDraining: dependencies.isDraining }))
    .use(monitoringRoutes({ sources, monitoringToken }))
    .use(monitoringHistoryRoutes({ catalogue, requests: sources.requests, nowMs }))
    .use(metricsRoutes({ sources, monitoringToken }))
}

/** The endpoints that need a key. */
const marketRoutes = (
  { catalogue, workers, log, clientAddress = () => null }: AppDependencies,
  { keyed, cache, dayFiles, requireKey: { charge, keyOf }, sockets: { endpoints }, connections }: Shared,
  nowMs: () => number,
) =>
  new Elysia()
    .use(keyed)
    .use(singleValues())
    .use(questionRoutes({ catalogue, workers, nowMs, log, cache, dayFiles, charge }))
    .use(socketRoutes({ endpoints, connections, keyOf, clientAddress, log }))
