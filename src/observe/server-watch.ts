// Sets up the configured observation of a server: its log, the access log, and the sources of the status page and
// the metrics.

import type { StoreStats } from '../../storage/maintenance.ts'
import type { Config } from '../config/config.ts'
import { forwardedAddress } from '../http/server/forwarded-address.ts'
import { readStatus } from '../record/status/status-file.ts'
import { accessLog } from './access-log.ts'
import { createLog, type Log } from './log/log.ts'
import type { Observe } from './observe.ts'
import { watchDescriptors } from './stats/descriptor-watch.ts'
import { readDiskStats } from './stats/disk-stats.ts'
import type { EngineState } from './stats/engine-probe.ts'
import { TaskStats } from './stats/task-stats.ts'

const DESCRIPTORS_EVERY_MS = 1_000

type Watched = {
  config: Config
  log: Log
  storeStats: () => Promise<StoreStats>
  engines: () => Promise<EngineState[]>
  clientAddress: (request: Request) => string | null
  pendingRequests: () => number
}

export function watchServer({ config, log, clientAddress, ...stats }: Watched) {
  const tasks = new TaskStats()
  const descriptors = watchDescriptors({ log })
  const timer = setInterval(descriptors.check, DESCRIPTORS_EVERY_MS)
  timer.unref()
  const addressOf = (request: Request) =>
    forwardedAddress(clientAddress(request), request.headers.get('x-forwarded-for'), config.trustedProxies)
  const observer = config.accessLog ? accessLog(log) : undefined
  const diskStats = () => readDiskStats(config.data)
  const recorder = () => readStatus(config.data, Date.now())
  const observe: Observe = {
    tasks,
    diskStats,
    recorder,
    descriptors: descriptors.state,
    ...stats,
    observer,
    addressOf,
  }
  return { observe, onTask: tasks.add.bind(tasks), stop: () => clearInterval(timer) }
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
