// Sets up the configured observation of a server: its log, the access log, traces, and the sources of the status page
// and the metrics.

import type { StoreStats } from '../../storage/maintenance.ts'
import type { TaskReport } from '../../workers/requests.ts'
import type { Config } from '../config/config.ts'
import { forwardedAddress } from '../http/server/forwarded-address.ts'
import { readStatus } from '../record/status/status-file.ts'
import { VERSION } from '../version.ts'
import { accessLog } from './access-log.ts'
import { createLog, type Log } from './log/log.ts'
import type { Observe } from './observe.ts'
import { watchDescriptors } from './stats/descriptor-watch.ts'
import { readDiskStats } from './stats/disk-stats.ts'
import type { EngineState } from './stats/engine-probe.ts'
import { TaskStats } from './stats/task-stats.ts'
import type { Tracing } from './tracing.ts'

const DESCRIPTORS_EVERY_MS = 1_000

type Watched = {
  config: Config
  log: Log
  storeStats: () => Promise<StoreStats>
  engines: () => Promise<EngineState[]>
  clientAddress: (request: Request) => string | null
  pendingRequests: () => number
}

export async function watchServer({ config, log, clientAddress, ...stats }: Watched) {
  const tasks = new TaskStats()
  const tracing = await tracingOf(config, log)
  const descriptors = watchDescriptors({ log })
  const timer = setInterval(descriptors.check, DESCRIPTORS_EVERY_MS)
  timer.unref()
  const addressOf = (request: Request) =>
    forwardedAddress(clientAddress(request), request.headers.get('x-forwarded-for'), config.trustedProxies)
  const observers = [...(config.accessLog ? [accessLog(log)] : []), ...(tracing === null ? [] : [tracing.observer])]
  const diskStats = () => readDiskStats(config.data)
  const recorder = () => readStatus(config.data, Date.now())
  const observe: Observe = {
    tasks,
    diskStats,
    recorder,
    descriptors: descriptors.state,
    ...stats,
    observers,
    addressOf,
  }
  return {
    observe,
    onTask(report: TaskReport) {
      tasks.add(report)
      tracing?.onTask(report)
    },
    async stop() {
      clearInterval(timer)
      await tracing?.stop()
    },
  }
}

/** Starts tracing if it is configured. Loads the SDK only then. */
async function tracingOf({ tracesEndpoint: endpoint, tracesShare: share }: Config, log: Log): Promise<Tracing | null> {
  if (endpoint === null) return null
  const { startTracing } = await import('./tracing.ts')
  return startTracing({ endpoint, share, version: VERSION, log })
}

export function logOf({ logLevel: level, logFormat: format, ...config }: Config): Log {
  const { adminToken, monitoringToken, stripe, accountsUrl, cluster } = config
  const secrets = [adminToken, monitoringToken, stripe?.secretKey ?? null, stripe?.webhookSecret ?? null]
  const ofCluster = [
    cluster?.objects.secretAccessKey ?? null,
    cluster?.objects.sessionToken ?? null,
    passwordOf(cluster?.catalogue.url ?? null),
  ]
  return createLog({ level, format, secrets: [...secrets, passwordOf(accountsUrl), ...ofCluster] })
}

function passwordOf(address: string | null): string | null {
  if (address === null || !URL.canParse(address)) return null
  const { password } = new URL(address)
  try {
    return decodeURIComponent(password)
  } catch {
    return password
  }
}
